"""The parts of README.md that the code knows better: ``python -m tests.readme`` writes them anew."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from docduck.cli.main import COMMANDS, Commands
from docduck.settings import Settings

README = Path(__file__).parent.parent / "README.md"


def settings_table() -> str:
    """All settings with their defaults, as a Markdown table."""
    lines = ["| Variable | Default | Meaning |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = "number of CPUs" if field.default_factory else _default(field.default)
        lines.append(f"| `DOCDUCK_{name.upper()}` | {default} | {field.description} |")
    return "\n".join(lines)


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


def filled(text: str) -> str:
    """The README's ``text`` with the parts between its markers written anew."""
    for marker, part in (("settings", settings_table()), ("commands", commands_table())):
        block = f"<!-- {marker} -->\n{part}\n<!-- /{marker} -->"
        pattern = rf"<!-- {marker} -->.*?<!-- /{marker} -->"
        text, count = re.subn(pattern, lambda _, block=block: block, text, flags=re.DOTALL)  # type: ignore[misc]
        if count != 1:
            raise ValueError(f"README.md has {count} blocks <!-- {marker} --> … <!-- /{marker} -->, not one")
    return text


def _default(value: Any) -> str:
    return "not set" if value is None else f"`{value}`"


if __name__ == "__main__":
    README.write_text(filled(README.read_text()))
    typer.echo(f"Wrote {README}")
