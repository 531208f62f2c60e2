"""``docduck parsers``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck.cli.backends.backend import backend
from docduck.cli.commands import post_processing
from docduck.cli.commands.upload_pages import parser_page
from docduck.cli.options.fields import FieldsOption, TemplateOption, check_field_options, read_fields
from docduck.cli.options.parser import ParserArgument
from docduck.cli.output import JsonOption, print_json, print_result, say
from docduck.cli.tables import print_table
from docduck.errors import InputError
from docduck.service.parsers.parsers import NewParser

app = typer.Typer(
    help="Parsers: the fields to read from documents.", no_args_is_help=True, add_completion=False
)

app.command("post-processing")(post_processing.post_processing)
app.command("lookup-tables")(post_processing.lookup_tables)
app.command("lookup-table")(post_processing.lookup_table)
app.command("upload-page")(parser_page)


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List the parsers."""
    with backend() as chosen:
        found = chosen.parsers()
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
    parser: ParserArgument,
    json: JsonOption = False,
) -> None:
    """Show a parser's fields and their columns in the warehouse."""
    with backend() as chosen:
        found = chosen.parser(parser)
    if json:
        print_json(found)
        return
    say(f"{found.slug}: {found.name}", "bold")
    mail = found.email_address and f"E-mail: {found.email_address}"
    for line in filter(None, (found.description, mail, None if found.is_active else "Not active")):
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
        typer.Argument(metavar="[NAME]", help="Its name; by default the template's.", show_default=False),
    ] = None,
    fields: FieldsOption = None,
    template: TemplateOption = None,
    json: JsonOption = False,
) -> None:
    """Create a parser with your own fields, or from a template."""
    check_field_options(fields, template)
    if fields is not None and name is None:
        raise InputError("A parser with your own fields needs a name: docduck parsers add NAME --fields FILE")
    own = read_fields(fields) if fields else None
    with backend() as chosen:
        made = chosen.add_parser(NewParser(name=name, template_key=template, fields=own))
        hint = chosen.upload_hint(made)
    print_result(made, f"Created parser {made.slug}; {hint}", json)


@app.command("forget")
def forget_(
    parser: ParserArgument,
    json: JsonOption = False,
) -> None:
    """Delete what a parser has learned from corrected documents."""
    with backend() as chosen:
        count = chosen.forget(parser)
    print_result({"forgotten": count}, f"{count} {'lesson' if count == 1 else 'lessons'} forgotten", json)
