"""The reference tables in the README files: ``python -m tools.readme`` writes them again."""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from docduck import templates
from docduck.api.response.openapi import DESCRIPTIONS
from docduck.cli.main import COMMANDS, Commands
from docduck.error_codes import CODES
from docduck.fields import FieldType
from docduck.mcp.tools import TOOLS, TOOLSETS
from docduck.settings import TOPICS
from docduck.warehouse.layout import layout_of
from docduck.warehouse.rows import FieldColumns, ParserSchema

ROOT = Path(__file__).parent.parent
"""The folder of the whole project."""


def settings_table() -> str:
    """All settings with their defaults, as a Markdown table for each topic."""
    tables = []
    for topic in TOPICS:
        lines = [
            f"### {(topic.__doc__ or '').rstrip('.')}",
            "",
            "| Variable | Default | Meaning |",
            "|---|---|---|",
        ]
        meanings = settings_meanings(topic)
        for name, field in topic.model_fields.items():
            default = "number of CPUs" if field.default_factory else _default(field.default)
            lines.append(f"| `DOCDUCK_{name.upper()}` | {default} | {meanings[name]} |")
        tables.append("\n".join(lines))
    return "\n\n".join(tables)


def settings_meanings(topic: type) -> dict[str, str]:
    """The texts below the settings of a topic, by their names."""
    (described,) = ast.parse(inspect.getsource(topic)).body
    assert isinstance(described, ast.ClassDef)
    return {
        setting.target.id: " ".join(text.value.value.split()).removesuffix(".")
        for setting, text in itertools.pairwise(described.body)
        if isinstance(setting, ast.AnnAssign) and isinstance(setting.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        if isinstance(text.value.value, str)
    }


def commands_table() -> str:
    """All commands with their options, as a Markdown table."""
    lines = ["| Command | What it does | Options |", "|---|---|---|"]
    for path, command in commands():
        arguments = [p.metavar or p.name.upper() for p in command.params if p.param_type_name == "argument"]
        options = [
            f"`{max(p.opts, key=len)}`"
            for p in command.params
            if p.param_type_name == "option" and p.name != "help"
        ]
        usage = " ".join(["docduck", *path, *arguments])
        summary = command.help.split("\n\n")[0].replace("\n", " ").strip()
        lines.append(f"| `{usage}` | {summary} | {' '.join(options)} |")
    return "\n".join(lines)


def commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that does something, with the words that call it."""
    group = Commands(name="docduck")
    for name in COMMANDS:
        command = group.get_command(None, name)
        parts: Mapping[str, Any] | None = getattr(command, "commands", None)
        if parts is None:
            yield (name,), command
        else:
            yield from (((name, part), inner) for part, inner in parts.items())


def tables_table() -> str:
    """The columns that every parser's tables have, as a Markdown table."""
    items = FieldColumns("items", "Items", "items", FieldType.TABLE)
    layout = layout_of(ParserSchema("invoices", None, (items,)))
    names = dict(zip(layout.tables, ("documents", "<table>", "_evidence"), strict=True))
    lines = ["| Table | Column | Type | Meaning |", "|---|---|---|---|"]
    for table, name in names.items():
        lines += [
            f"| `{name}` | `{column.name}` | `{column.type}` | {column.comment} |" for column in table.columns
        ]
    return "\n".join(lines)


def templates_table() -> str:
    """The templates of parsers, as a Markdown table."""
    some = map(templates.load, templates.keys())
    lines = [f"| `{one.key}` | {one.name} | {one.description} |" for one in some]
    return "\n".join(["| Key | Template | What it reads |", "|---|---|---|", *lines])


def errors_table() -> str:
    """Return the table of the statuses of errors of the API."""
    return "\n".join(
        [
            "| Status | Meaning |",
            "|---|---|",
            *(f"| {status} | {text} |" for status, text in DESCRIPTIONS.items()),
        ]
    )


def codes_table() -> str:
    """Return the table of the codes of errors of the API."""
    return "\n".join(
        ["| Code | Meaning |", "|---|---|", *(f"| `{code}` | {text} |" for code, text in CODES.items())]
    )


def tools_table() -> str:
    """Return the table of the tools for agents."""
    lines = ["| Tool | Set | Does | Permission |", "|---|---|---|---|"]
    for tool in TOOLS:
        of = next(name for name, names in TOOLSETS.items() if tool.name in names)
        effect = tool.effect
        does = "reads" if effect.read_only else "deletes" if effect.destructive else "changes"
        lines.append(f"| `{tool.name}` | {of} | {does} | `{tool.permission}` |")
    return "\n".join(lines)


def folders_table() -> str:
    """Return the table of the folders: what is in each, and where to begin."""
    lines = ["| Folder | What is there, and its modules to begin with |", "|---|---|"]
    for part in ("docduck", "dagster_docduck", "orchestration", "assets", "resources", "tools"):
        for package in sorted((ROOT / part).rglob("__init__.py")):
            folder = package.parent.relative_to(ROOT / "docduck" if part == "docduck" else ROOT)
            # An indented part is an example.
            parts = (ast.get_docstring(ast.parse(package.read_text())) or "").split("\n\n")
            text = " ".join(" ".join(words for words in parts if not words.startswith("    ")).split())
            if text and folder.parts:
                lines.append(f"| `{folder}/` | {text.replace('``', '`')} |")
    return "\n".join(lines)


TABLES = {
    "docduck/README.md": {"settings": settings_table, "folders": folders_table},
    "docduck/cli/README.md": {"commands": commands_table},
    "docduck/extraction/README.md": {"templates": templates_table},
    "docduck/warehouse/README.md": {"tables": tables_table},
    "docduck/api/README.md": {"errors": errors_table, "codes": codes_table},
    "docduck/mcp/README.md": {"tools": tools_table},
}
"""The tables of each README file, by the file's path: their markers, and what makes them."""


def filled(path: str, text: str) -> str:
    """Return ``text`` of the README at ``path`` with its tables written again.

    Raise ValueError if the markers of a table are not there exactly once.
    """
    for marker, table in TABLES[path].items():
        begin, end = f"<!-- {marker} -->", f"<!-- /{marker} -->"
        blocks = re.findall(f"{begin}.*?{end}", text, flags=re.DOTALL)
        if len(blocks) != 1:
            raise ValueError(f"{path} has {len(blocks)} blocks {begin} … {end}, not one")
        text = text.replace(blocks[0], f"{begin}\n{table()}\n{end}")
    return text


def _default(value: Any) -> str:
    return "not set" if value is None else f"`{value}`"


if __name__ == "__main__":
    for path in TABLES:
        (ROOT / path).write_text(filled(path, (ROOT / path).read_text()))
        typer.echo(f"Wrote {path}")
