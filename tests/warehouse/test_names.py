from __future__ import annotations

import pytest

from docduck.warehouse import layout, names
from docduck.warehouse.rows import ParserSchema


@pytest.mark.parametrize(
    ("name", "taken", "column"),
    [
        ("Invoice No.", (), "invoice_no"),
        ("Größe", (), "grosse"),
        ("select", (), "select"),
        ("Status", (), "status_2"),
        ("Total", {"total"}, "total_2"),
        ("Total", {"total", "total_2"}, "total_3"),
        ("发票", (), "field"),
        ("2nd line", (), "_2nd_line"),
        ("x" * 200, {"x" * 58}, "x" * 58 + "_2"),
    ],
)
def test_columns_are_assigned(name: str, taken: set[str], column: str) -> None:
    assert names.assign_column(name, taken) == column


def test_only_what_clashes_is_changed() -> None:
    assert names.assign_table("Documents", ()) == "documents_2"
    assert names.assign_table("Status", ()) == "status"
    assert names.assign_table_column("Row Number", ()) == "row_number_2"
    assert names.assign_table_column("Status", ()) == "status"


def test_what_is_reserved_is_what_every_schema_has() -> None:
    documents, evidence = layout.layout_of(ParserSchema("empty")).tables
    assert {column.name for column in documents.columns} == names.DOCUMENT_COLUMNS
    assert {documents.name, evidence.name} == names.TABLES
