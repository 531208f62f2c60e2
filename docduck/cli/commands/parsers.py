"""``docduck parsers``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck.cli.backends.backend import backend
from docduck.cli.options.fields import FieldsOption, TemplateOption, one_of, read_fields
from docduck.cli.output import JsonOption, print_json, say
from docduck.cli.tables import print_table
from docduck.errors import InputError
from docduck.service.parsers.parsers import NewParser

app = typer.Typer(help="What is read from documents.", no_args_is_help=True, add_completion=False)


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List the parsers."""
    with backend() as there:
        found = there.parsers()
    if json:
        print_json(found)
        return
    print_table(
        ["Slug", "Name", "Fields", "Active"],
        [(p.slug, p.name, len(p.fields), p.is_active) for p in found],
    )
    for one in found:
        if one.problem:
            say(one.problem, "red")


@app.command()
def show(
    parser: Annotated[str, typer.Argument(metavar="PARSER", help="Slug, name or id of the parser.")],
    json: JsonOption = False,
) -> None:
    """Show a parser's fields and their columns in the warehouse."""
    with backend() as there:
        found = there.parser(parser)
    if json:
        print_json(found)
        return
    say(f"{found.slug}: {found.name}", "bold")
    for line in filter(None, (found.description, None if found.is_active else "Not active")):
        say(line)
    if found.problem:
        say(found.problem, "red")
        return
    rows = []
    for field in found.fields:
        rows.append((field.name, field.type.value, found.columns.get(str(field.id)), field.description))
        rows += [
            (f"- {column.name}", column.type.value, found.columns.get(str(column.id)), column.description)
            for column in field.columns
        ]
    print_table(["Field", "Type", "Column", "Description"], rows)


@app.command()
def add(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="Its name; the template's when not given.", show_default=False),
    ] = None,
    fields: FieldsOption = None,
    template: TemplateOption = None,
    json: JsonOption = False,
) -> None:
    """Add a parser with fields of your own, or a ready-made one."""
    one_of(fields, template)
    if fields is not None and name is None:
        raise InputError(
            "A parser with fields of your own needs a name: docduck parsers add NAME --fields FILE"
        )
    wanted = read_fields(fields) if fields else None
    with backend() as there:
        made = there.add_parser(NewParser(name=name, template_key=template, fields=wanted))
        way_in = there.way_in(made)
    if json:
        print_json(made)
    else:
        say(f"Parser {made.slug} is there; {way_in}")


@app.command("forget")
def forget_(
    parser: Annotated[str, typer.Argument(metavar="PARSER", help="Slug, name or id of the parser.")],
    json: JsonOption = False,
) -> None:
    """Forget all that a parser has learned from corrected documents."""
    with backend() as there:
        count = there.forget(parser)
    if json:
        print_json({"forgotten": count})
    else:
        say(f"{count} {'lesson' if count == 1 else 'lessons'} forgotten")
