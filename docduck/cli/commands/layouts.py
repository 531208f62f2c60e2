"""``docduck layouts``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from docduck.cli.connection import connected
from docduck.cli.lookups import parser_id
from docduck.cli.options.shared import ParserArgument, command_group
from docduck.cli.output import JsonOption, print_json, print_result, say
from docduck.cli.tables import Columns, print_rows
from docduck.client import Client
from docduck.client.types import ExportLayout, LayoutColumn
from docduck.errors import NotFound
from docduck.exports.model import Format, Scope

app = command_group("Layouts of exports: format, scope, columns.")

ScopeOption = Annotated[
    Scope | None,
    typer.Option(case_sensitive=False, help="The rows and columns.", show_default="by format"),
]
TableOption = Annotated[str | None, typer.Option(metavar="NAME", help="One table; implies --scope table.")]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Name or id of the layout.")]


@app.command("list")
def list_(parser: ParserArgument, json: JsonOption = False) -> None:
    """List a parser's layouts."""
    with connected() as client:
        layouts = list(client.exports.layouts(parser_id(client, parser), limit=100))
    columns: Columns = {"Name": "name", "Format": "format", "Scope": "scope", "Table": "tableName"}
    print_rows(layouts, {**columns, "Columns": _columns}, json)


@app.command()
def show(parser: ParserArgument, name: NameArgument, json: JsonOption = False) -> None:
    """Show a layout's columns."""
    with connected() as client:
        layout = find_layout(client, parser_id(client, parser), name)
    if json:
        print_json(layout)
        return
    say(f"{layout['name']}: {layout['format']} {layout['scope'] or ''}".rstrip(), "bold")
    print_rows(layout["columns"] or (), {"Field": "field", "Heading": "header"})
    for warning in layout["warnings"]:
        say(warning, "yellow")


@app.command("set")
def set_(
    parser: ParserArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the layout.")],
    format: Annotated[
        Format, typer.Option("--format", "-f", case_sensitive=False, help="The file's format.")
    ] = Format.JSON,
    scope: ScopeOption = None,
    table: TableOption = None,
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
    specs = [_column(text) for text in columns] if columns else None
    with connected() as client:
        owner_id = parser_id(client, parser)
        same = _named(client, owner_id, name.strip())
        values: dict[str, Any] = {
            "format": format,
            "scope": scope,
            "table_name": table,
            "columns": specs,
        }
        if same is None:
            saved = client.exports.create_layout(owner_id, name.strip(), **values)
        else:
            saved = client.exports.update_layout(owner_id, same["id"], **values)
    print_result(saved, f"{saved['name']}: {_columns(saved)}", json)


@app.command()
def delete(parser: ParserArgument, name: NameArgument, json: JsonOption = False) -> None:
    """Delete a layout."""
    with connected() as client:
        owner_id = parser_id(client, parser)
        client.exports.delete_layout(owner_id, find_layout(client, owner_id, name)["id"])
    print_result({"deleted": name}, f"Deleted the layout {name}", json)


def find_layout(client: Client, owner_id: str, ref: str) -> ExportLayout:
    """Return the parser's layout with this name or id; raise NotFound."""
    layout = _named(client, owner_id, ref)
    if layout is None:
        raise NotFound("Export layout not found", "layoutId", ref)
    return layout


def _named(client: Client, owner_id: str, ref: str) -> ExportLayout | None:
    known = list(client.exports.layouts(owner_id, limit=100))
    by_name = (layout for layout in known if layout["name"].casefold() == ref.casefold())
    return next(by_name, next((layout for layout in known if layout["id"] == ref.lower()), None))


def _column(text: str) -> LayoutColumn:
    field, equals, heading = text.partition("=")
    return {"field": field.strip(), "header": heading.strip() if equals else None}


def _columns(layout: ExportLayout) -> str:
    if layout["columns"] is None:
        return "the usual columns"
    return ", ".join(column["header"] or column["field"] for column in layout["columns"])
