"""``docduck layouts``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck.cli.backends.backend import backend
from docduck.cli.options.parser import ParserArgument
from docduck.cli.output import JsonOption, print_json, print_result, say
from docduck.cli.tables import print_table
from docduck.exports.model import Format, Scope
from docduck.service.outputs.export_layouts import LayoutView
from docduck.service.schemas.export_layouts import LayoutColumn

app = typer.Typer(
    help="Layouts of exports: format, scope, columns.", no_args_is_help=True, add_completion=False
)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Name or id of the layout.")]


@app.command("list")
def list_(parser: ParserArgument, json: JsonOption = False) -> None:
    """List a parser's layouts."""
    with backend() as chosen:
        found = chosen.exports.layouts(parser)
    if json:
        print_json(found)
        return
    print_table(
        ["Name", "Format", "Scope", "Table", "Columns"],
        [(one.name, one.format, one.scope, one.table_name, _columns(one)) for one in found],
    )


@app.command()
def show(parser: ParserArgument, name: NameArgument, json: JsonOption = False) -> None:
    """Show a layout's columns."""
    with backend() as chosen:
        found = chosen.exports.layout(parser, name)
    if json:
        print_json(found)
        return
    say(f"{found.name}: {found.format} {found.scope or ''}".rstrip(), "bold")
    print_table(["Field", "Heading"], [(one.field, one.header) for one in found.columns or ()])
    for warning in found.warnings:
        say(warning, "yellow")


@app.command("set")
def set_(
    parser: ParserArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the layout.")],
    format: Annotated[
        Format, typer.Option("--format", "-f", case_sensitive=False, help="The file's format.")
    ] = Format.JSON,
    scope: Annotated[
        Scope | None,
        typer.Option(case_sensitive=False, help="The rows and columns.", show_default="by format"),
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help="One table; implies --scope table.", show_default=False)
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="FIELD[=HEADING]",
            help="A column, in order: a field, Table.Column, $id, $name, $externalId, $status, $createdAt, "
            "$updatedAt or $rowNumber. Repeatable.",
            show_default="the usual ones",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Create a layout, or replace the one of that name."""
    if table is not None and scope is None:
        scope = Scope.TABLE
    wanted = [_column(text) for text in columns] if columns else None
    with backend() as chosen:
        made = chosen.exports.put_layout(
            parser,
            {"name": name, "format": format, "scope": scope, "table_name": table, "columns": wanted},
        )
    print_result(made, f"{made.name}: {_columns(made)}", json)


@app.command()
def delete(parser: ParserArgument, name: NameArgument, json: JsonOption = False) -> None:
    """Delete a layout."""
    with backend() as chosen:
        chosen.exports.delete_layout(parser, name)
    print_result({"deleted": name}, f"Deleted the layout {name}", json)


def _column(text: str) -> LayoutColumn:
    field, equals, heading = text.partition("=")
    return LayoutColumn(field.strip(), heading.strip() if equals else None)


def _columns(layout: LayoutView) -> str:
    if layout.columns is None:
        return "the usual columns"
    return ", ".join(one.header or one.field for one in layout.columns)
