"""Saved layouts of exports."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest

from docduck.errors import Conflict, InputError, NotFound
from docduck.service.core.installation import Installation
from docduck.service.core.schema import Values
from docduck.service.outputs.export_layouts import (
    create_layout,
    delete_layout,
    get_layout,
    list_layouts,
    put_layout,
    update_layout,
)
from docduck.service.outputs.exporting import ExportRequest
from docduck.service.outputs.folder_exports import export_to_folder
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parsers import ParserView, get_parser, set_fields
from docduck.service.schemas.export_layouts import LayoutColumn, LayoutColumnView
from tests.exports.reading import read_csv
from tests.service.core.documents import add_read, make_parser, read_document

ITEMS: Values = {
    "name": "Items for SAP",
    "format": "csv",
    "scope": "table",
    "table_name": "Line Items",
    "columns": [
        LayoutColumn("Number", "Beleg"),
        LayoutColumn("$rowNumber", "Pos"),
        LayoutColumn("Line Items.Amount", "Betrag"),
        LayoutColumn("line items.description"),
        LayoutColumn("$externalId"),
    ],
}


def rows(inst: Installation, parser: ParserView, layout: str) -> list[list[str]]:
    view = export_to_folder(inst, parser.team_id, parser.id, ExportRequest(layout=layout))
    assert view.path is not None
    return read_csv(view.path.read_bytes())


def ready(inst: Installation) -> ParserView:
    parser, _ = read_document(inst)
    return parser


def test_columns_have_the_order_and_headings_of_the_layout(inst: Installation) -> None:
    parser = ready(inst)
    made = create_layout(inst, parser.team_id, parser.id, ITEMS)
    assert made.columns == (
        LayoutColumnView("Number", "Beleg"),
        LayoutColumnView("$rowNumber", "Pos"),
        LayoutColumnView("Line Items.Amount", "Betrag"),
        LayoutColumnView("Line Items.Description", None),
        LayoutColumnView("$externalId", None),
    )
    expected = [
        ["Beleg", "Pos", "Betrag", "Description", "external_id"],
        ["A-1", "1", "0", "item 0", ""],
        ["A-1", "2", "1", "item 1", ""],
    ]
    assert rows(inst, parser, made.id) == rows(inst, parser, "Items for SAP") == expected
    own = ExportRequest(layout="Items for SAP", scope="all_flat")
    with pytest.raises(InputError, match="Leave out scope: the layout has its own"):
        export_to_folder(inst, parser.team_id, parser.id, own)
    with pytest.raises(NotFound, match="Export layout not found"):
        rows(inst, parser, "nope")
    # A copied parser has the layouts.
    copy = duplicate_parser(inst, parser.team_id, parser.id)
    (copied,) = list_layouts(inst, copy.team_id, copy.id)
    assert (copied.columns, copied.table_name, copied.warnings) == (made.columns, "Line Items", ())
    assert copied.id != made.id
    add_read(inst, copy)
    assert len(rows(inst, copy, "Items for SAP")) == 3


def test_layouts_of_the_other_scopes(inst: Installation) -> None:
    parser = ready(inst)
    columns = [LayoutColumn("Total"), LayoutColumn("$name", "File"), LayoutColumn("Line Items.Amount")]
    new: Values = {"name": "flat", "format": "csv", "columns": columns}
    create_layout(inst, parser.team_id, parser.id, new)
    assert rows(inst, parser, "flat") == [
        ["Total", "File", "Line Items.Amount"],
        ["12.5", "doc-0.txt", "0"],
        ["12.5", "doc-0.txt", "1"],
    ]
    fields: Values = {"name": "f", "format": "csv", "scope": "fields_only", "columns": columns[:2]}
    create_layout(inst, parser.team_id, parser.id, fields)
    assert rows(inst, parser, "f") == [["Total", "File"], ["12.5", "doc-0.txt"]]
    create_layout(inst, parser.team_id, parser.id, {"name": "x", "format": "xlsx", "columns": columns})
    view = export_to_folder(inst, parser.team_id, parser.id, ExportRequest(layout="x"))
    assert view.path is not None
    book = openpyxl.load_workbook(io.BytesIO(view.path.read_bytes()))
    sheets = {page.title: [[cell.value for cell in row] for row in page.iter_rows()] for page in book}
    assert sheets == {
        "Fields": [["Total", "File"], [12.5, "doc-0.txt"]],
        "Line Items": [["File", "Amount"], ["doc-0.txt", 0], ["doc-0.txt", 1]],
    }


def test_a_layout_follows_renames_and_tells_what_was_deleted(inst: Installation) -> None:
    parser = ready(inst)
    create_layout(inst, parser.team_id, parser.id, ITEMS)
    number, total, tags, items = get_parser(inst, parser.team_id, parser.id).fields
    amount = next(one for one in items.columns if one.name == "Amount")
    columns = (amount.model_copy(update={"name": "Sum"}),)
    changed = items.model_copy(update={"name": "Positions", "columns": columns})
    set_fields(inst, parser.team_id, parser.id, [number, total, tags, changed])
    view = get_layout(inst, parser.team_id, parser.id, "Items for SAP")
    assert view.table_name == "Positions"
    left = [one.field for one in view.columns or ()]
    assert left == ["Number", "$rowNumber", "Positions.Sum", "$externalId"]
    warning = "Column 'Line Items.Description' is left out: its field was deleted"
    assert view.warnings == (warning,)
    made = export_to_folder(inst, parser.team_id, parser.id, ExportRequest(layout=view.id))
    assert made.warnings == (warning,)
    assert made.path is not None
    assert read_csv(made.path.read_bytes())[0] == ["Beleg", "Pos", "Betrag", "external_id"]
    set_fields(inst, parser.team_id, parser.id, [number])
    with pytest.raises(InputError, match="The table of the export layout 'Items for SAP' was deleted"):
        rows(inst, parser, "Items for SAP")


def test_changing_and_deleting(any_inst: Installation) -> None:
    parser = ready(any_inst)
    team = parser.team_id
    made = create_layout(any_inst, team, parser.id, ITEMS)
    create_layout(any_inst, team, parser.id, {"name": "plain", "format": "json"})
    assert [one.name for one in list_layouts(any_inst, team, parser.id)] == ["Items for SAP", "plain"]
    for name in ("plain", "PLAIN"):
        with pytest.raises(Conflict, match=f"'{name}' already"):
            update_layout(any_inst, team, parser.id, made.id, {"name": name})
    with pytest.raises(Conflict, match="'Plain' already"):
        create_layout(any_inst, team, parser.id, {"name": "Plain", "format": "csv"})
    assert get_layout(any_inst, team, parser.id, "PLAIN").name == "plain"
    assert update_layout(any_inst, team, parser.id, "plain", {"name": "Plain"}).name == "Plain"
    assert update_layout(any_inst, team, parser.id, "Plain", {"name": "plain"}).name == "plain"
    with pytest.raises(InputError, match=r"'\$rowNumber' can't be a column of the scope 'fields"):
        update_layout(any_inst, team, parser.id, made.id, {"scope": "fields_only"})
    changed = update_layout(any_inst, team, parser.id, made.id, {"format": "xlsx", "name": " SAP "})
    assert (changed.name, changed.format, changed.columns) == ("SAP", "xlsx", made.columns)
    replaced = put_layout(any_inst, team, parser.id, {"name": "SAP", "format": "json"})
    assert (replaced.id, replaced.scope, replaced.table_name, replaced.columns) == (made.id, None, None, None)
    assert delete_layout(any_inst, team, parser.id, "SAP") == made.id
    with pytest.raises(NotFound):
        get_layout(any_inst, team, parser.id, made.id)


def test_what_a_layout_can_not_be(inst: Installation) -> None:
    twice = [LayoutColumn("Total", "a"), LayoutColumn("Number", "a")]
    wrong: list[tuple[Any, str, str]] = [
        ({"columns": []}, "1 to 1000 columns", "columns"),
        ({"columns": [LayoutColumn("Sum")]}, "Unknown field: Sum", "columns.0.field"),
        ({"columns": [LayoutColumn("$folderId")]}, r"Unknown field: \$folderId", "columns.0.field"),
        ({"columns": [LayoutColumn("Line Items")]}, "'Line Items' can't be a column", "columns.0.field"),
        ({"columns": [LayoutColumn("Total", "")]}, "must be one line", "columns.0.header"),
        ({"columns": [LayoutColumn("Total", "a\nb")]}, "must be one line", "columns.0.header"),
        ({"columns": twice}, "heading of two columns", "columns.1.header"),
        ({"format": "json", "scope": None, "table_name": None}, "choose a scope", "scope"),
        ({"table_name": "Taxes"}, "Unknown table: Taxes", "tableName"),
        ({"scope": "all_flat"}, "tableName goes with the scope 'table'", "tableName"),
        ({"format": "pdf"}, "Unknown format: pdf", "format"),
        ({"name": "x" * 256}, "must be one line", "name"),
    ]
    parser = make_parser(inst)
    for changes, message, path in wrong:
        with pytest.raises(InputError, match=message) as caught:
            create_layout(inst, parser.team_id, parser.id, {**ITEMS, **changes})
        assert caught.value.path == path, changes
