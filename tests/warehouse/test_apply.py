from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.fields import FieldType
from docduck.warehouse.rows import DocumentRow, EvidenceRow, FieldColumns, ParserChanges, ParserSchema
from docduck.warehouse.warehouse import Warehouse
from docduck.warehouse.warehouse_file import WarehouseFile
from tests.warehouse.samples import INVOICES, contents, invoice, select


def test_documents_become_typed_rows(warehouse: Warehouse) -> None:
    applied = warehouse.apply(INVOICES, [invoice(1), invoice(2, rows=3)])

    assert (applied.documents, applied.rows, applied.deleted, applied.warnings) == (2, 5, 0, ())
    assert not applied.needs_rebuild
    found = contents(warehouse)
    comment, columns, rows = found["invoices.documents"]
    assert comment == "Invoices that came in"
    assert [(name, kind) for name, kind, _ in columns[12:]] == [
        ("invoice_no", "VARCHAR"),
        ("total", "DECIMAL(38,2)"),
        ("invoice_date", "DATE"),
        ("paid", "BOOLEAN"),
        ("tags", "VARCHAR[]"),
    ]
    assert dict((name, said) for name, _, said in columns)["total"] == "With tax"
    assert rows[0] == (
        "doc-1",
        "invoice 1.pdf",
        None,
        "processed",
        "folder",
        None,
        1,
        dt.datetime(2026, 1, 31, 8, 30),
        None,
        None,
        0.9,
        None,
        "INV-1",
        Decimal("101.10"),
        dt.date(2026, 1, 31),
        False,
        ["a", "ü"],
    )
    assert found["invoices.line_items"][0] == "One per line"
    assert found["invoices.line_items"][2][:2] == [
        ("doc-1", 1, "Thing 1", Decimal("1.5")),
        ("doc-1", 2, "Thing 2", Decimal("3")),
    ]
    evidence = found["invoices._evidence"][2]
    assert ("doc-1", "Invoice No.", None, 1, 0.1, 0.2, 0.3, 0.04, 0.95, "INV-1") in evidence
    assert ("doc-2", "Line Items.Item", 3, 1, 0.1, 0.2, 0.3, 0.04, 0.9, "Thing 3") in evidence
    assert len(evidence) == 7


def test_applying_twice_is_applying_once(warehouse: Warehouse) -> None:
    warehouse.apply(INVOICES, [invoice(1), invoice(2)])
    once = contents(warehouse)
    warehouse.apply(INVOICES, [invoice(1), invoice(2)])
    assert contents(warehouse) == once


def test_reprocessing_leaves_none_of_the_earlier_rows(warehouse: Warehouse) -> None:
    warehouse.apply(INVOICES, [invoice(1, rows=9), invoice(2)])
    warehouse.apply(INVOICES, [invoice(1, rows=1, values={"f_number": "other"})])

    found = contents(warehouse)
    assert [row[:2] for row in found["invoices.line_items"][2]] == [("doc-1", 1), ("doc-2", 1), ("doc-2", 2)]
    assert [row[12] for row in found["invoices.documents"][2]] == ["other", "INV-2"]
    assert len([row for row in found["invoices._evidence"][2] if row[0] == "doc-1"]) == 2


def test_deleted_documents_leave_every_table(warehouse: Warehouse, tmp_path: Path) -> None:
    warehouse.apply(INVOICES, [invoice(1), invoice(2)])
    applied = warehouse.apply(INVOICES, deletes=["doc-1", "never-there"])
    assert applied.deleted == 1
    expected = WarehouseFile(tmp_path / "other")
    expected.apply(INVOICES, [invoice(2)])
    assert contents(warehouse) == contents(expected.path)


def test_the_last_row_given_for_a_document_counts_though_it_is_deleted_too(warehouse: Warehouse) -> None:
    warehouse.apply(INVOICES, [invoice(1, rows=5), invoice(1, rows=1)], ["doc-1"])
    assert warehouse.counts(published=False)["invoices"] == {"documents": 1, "line_items": 1, "_evidence": 2}


def test_values_that_do_not_fit_become_null_and_are_told(warehouse: Warehouse) -> None:
    odd = invoice(
        1,
        page_count=2**40,
        values={
            "f_number": 17.0,
            "f_total": 1e32,
            "f_date": "31.01.2026",
            "f_paid": "perhaps",
            "f_tags": "one",
            "f_unknown": "x",
        },
        tables={
            "f_items": [
                {"c_item": "half \ud800 a letter", "c_quantity": float("nan")},
                {"c_item": None, "c_quantity": "1e999999999"},
                {"c_item": {"a": 1}, "c_quantity": 99999999999999999999999999999999.0},
                {"c_item": "\0", "c_quantity": True},
                {"c_item": "x" * 100_000, "c_quantity": 10**5000},
            ]
        },
        evidence=[EvidenceRow("f_gone"), EvidenceRow("f_items", "c_gone", 1)],
    )
    applied = warehouse.apply(INVOICES, [odd, invoice(2)])

    places = [(misfit.field, misfit.row_number) for misfit in applied.warnings]
    assert places == [
        ("page_count", None),
        ("Total", None),
        ("Invoice Date", None),
        ("Paid", None),
        *(("Line Items.Quantity", row) for row in range(1, 6)),
    ]
    assert str(applied.warnings[2]) == "document doc-1, Invoice Date: '31.01.2026' is not an ISO date"
    assert {misfit.document_id for misfit in applied.warnings} == {"doc-1"}
    found = contents(warehouse)
    first, second = found["invoices.documents"][2]
    assert first[6] is None
    assert first[12:] == ("17", None, None, None, ["one"])
    assert second[13] == Decimal("102.1")
    items = [row[2:] for row in found["invoices.line_items"][2][:5]]
    assert items[:4] == [("half ? a letter", None), (None, None), ('{"a": 1}', None), ("\0", None)]
    assert items[4] == ("x" * 100_000, None)
    assert len(found["invoices._evidence"][2]) == 3


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (0.00345, "0.00345"),
        (0.1 + 0.2, "0.3"),
        (1.0000015, "1.0000015"),
        (1.00000000005, "1.0000000000"),
        (1.00000000015, "1.0000000002"),
        (-12, "-12"),
        (4006381333931, "4006381333931"),
        ("1234.5", "1234.5"),
        (999999999999999900000000000.0, "999999999999999900000000000"),
        ("", None),
        (None, None),
    ],
)
def test_numbers_are_exact_decimals(warehouse: Warehouse, value: object, stored: str | None) -> None:
    applied = warehouse.apply(INVOICES, [invoice(1, values={"f_total": value})])
    assert not applied.warnings
    (row,) = contents(warehouse)["invoices.documents"][2]
    assert row[13] == (None if stored is None else Decimal(stored))


@pytest.mark.parametrize(
    ("values", "kind", "shown"),
    [
        ((19313.18, 7, None), "DECIMAL(38,2)", ["19313.18", "7.00"]),
        ((19313.18, 0.8525), "DECIMAL(38,4)", ["0.8525", "19313.1800"]),
        ((1.08567,), "DECIMAL(38,6)", ["1.085670"]),
        ((0.00000001,), "DECIMAL(38,10)", ["0.0000000100"]),
    ],
)
def test_a_column_of_numbers_has_the_decimal_places_that_its_values_need(
    warehouse: Warehouse, values: tuple[object, ...], kind: str, shown: list[str]
) -> None:
    # One by one and all at once: a column is widened, and made wide.
    for number, value in enumerate(values):
        warehouse.apply(INVOICES, [invoice(number, values={"f_total": value})])
    for _ in range(2):
        _, columns, rows = contents(warehouse)["invoices.documents"]
        assert [(one, said) for name, one, said in columns if name == "total"] == [(kind, "With tax")]
        assert sorted(f"{row[13]:f}" for row in rows if row[13] is not None) == shown
        documents = [invoice(number, values={"f_total": value}) for number, value in enumerate(values)]
        warehouse.replace(INVOICES, [documents])


def test_a_table_column_is_widened_and_never_narrowed_by_a_write(warehouse: Warehouse) -> None:

    def quantities(*values: float) -> list[Decimal]:
        rows = [{"c_item": "x", "c_quantity": value} for value in values]
        warehouse.apply(INVOICES, [invoice(1, tables={"f_items": rows})])
        return [row[3] for row in contents(warehouse)["invoices.line_items"][2]]

    assert list(map(str, quantities(1, 2.5))) == ["1.00", "2.50"]
    assert list(map(str, quantities(1, 0.125))) == ["1.0000", "0.1250"]
    assert list(map(str, quantities(1))) == ["1.0000"]


def test_nothing_found_is_null_whichever_way_it_is_said(warehouse: Warehouse) -> None:
    nothing: dict[str, object] = {"f_tags": [], "f_date": None}
    warehouse.apply(INVOICES, [invoice(1, values=nothing, tables={}), invoice(1, values={})])
    assert contents(warehouse)["invoices.documents"][2][0][12:] == (None,) * 5


@pytest.mark.parametrize("tables", ["a scalar of old", ["a", "list"], {"no": "list"}, 7])
def test_what_is_no_table_has_no_rows(warehouse: Warehouse, tables: object) -> None:
    applied = warehouse.apply(INVOICES, [invoice(1, tables={"f_items": tables})])
    assert [str(misfit) for misfit in applied.warnings] == ["document doc-1, Line Items: is not a table"]
    assert (applied.documents, applied.rows) == (1, 0)


def test_hostile_names_are_only_names(tmp_path: Path) -> None:
    table = FieldColumns(
        "f4",
        'drop"; DROP TABLE x',
        "order",
        FieldType.TABLE,
        "it's",
        (FieldColumns("c1", "'", "row", FieldType.TEXT),),
    )
    schema = ParserSchema(
        "select",
        '\'; DROP SCHEMA "x"; --',
        (
            FieldColumns("f1", "select", "select", FieldType.TEXT, 'a "quoted" it\'s'),
            FieldColumns("f2", "Größe", "grosse", FieldType.TEXT),
            FieldColumns("f3", "name", "name_2", FieldType.TEXT),
            table,
        ),
    )
    warehouse = WarehouseFile(tmp_path / 'it\'s "a" home; ü')
    row = DocumentRow(
        "'; --",
        values={"f1": "'", "f2": '"', "f3": "$1 ?"},
        tables={"f4": [{"c1": "%s"}]},
        evidence=[EvidenceRow("f4", "c1", 1)],
    )
    warehouse.apply(schema, [row])
    warehouse.apply(schema, [row])
    assert select(warehouse, 'SELECT "select", grosse, name_2 FROM "select".documents') == [
        ("'", '"', "$1 ?")
    ]
    assert select(warehouse, 'SELECT * FROM "select"."order"') == [("'; --", 1, "%s")]
    assert select(warehouse, 'SELECT field FROM "select"._evidence') == [("drop\"; DROP TABLE x.'",)]


def test_a_parser_without_fields_has_its_documents(warehouse: Warehouse) -> None:
    empty = ParserSchema("empty")
    warehouse.apply(empty)
    warehouse.apply(empty, [invoice(1)])
    assert warehouse.counts(published=False) == {"empty": {"documents": 1, "_evidence": 0}}


def test_parsers_do_not_touch_each_other(warehouse: Warehouse) -> None:
    other = ParserSchema("other", None, INVOICES.fields)
    warehouse.apply(INVOICES, [invoice(1)])
    warehouse.apply(other, [invoice(1, rows=7)])
    warehouse.apply(INVOICES, deletes=["doc-1"])
    counts = warehouse.counts(published=False)
    assert counts["other"]["line_items"] == 7
    assert warehouse.drop("other")
    assert not warehouse.drop("other")
    assert [*warehouse.counts(published=False)] == ["invoices"]


def test_another_parser_of_the_same_name_begins_with_empty_tables(warehouse: Warehouse) -> None:
    mine, theirs = (replace(INVOICES, parser_id=one) for one in ("p-1", "p-2"))
    warehouse.apply(mine, [invoice(1)])
    assert not warehouse.apply(mine, [invoice(1)]).needs_rebuild
    # Its documents were counted for the other parser, so they must be written again.
    assert warehouse.apply(theirs, [invoice(2)]).needs_rebuild
    assert select(warehouse, "SELECT DISTINCT document_id FROM invoices.documents") == [("doc-2",)]
    assert select(warehouse, "SELECT DISTINCT document_id FROM invoices.line_items") == [("doc-2",)]
    warehouse.replace(theirs, [[invoice(2)]])
    assert not warehouse.apply(theirs, [invoice(3)]).needs_rebuild


@pytest.mark.parametrize("schema", ["main", "analytics", "_docduck", "Invoices", 'a"b', "", "a.b", "x" * 64])
def test_schema_names_that_can_not_stand_are_refused(warehouse: Warehouse, schema: str) -> None:
    with pytest.raises(InputError, match="can't be the name of a warehouse schema"):
        warehouse.apply(ParserSchema(schema))


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ((FieldColumns("a", "Status", "status", FieldType.TEXT),), "'status' can't be a name"),
        ((FieldColumns("a", "A", "A b", FieldType.TEXT),), "field 'A': 'A b' can't be a name"),
        ((FieldColumns("a", "T", "documents", FieldType.TABLE),), "'documents' can't be a name"),
        (
            (FieldColumns("a", "A", "x", FieldType.TEXT), FieldColumns("b", "B", "x", FieldType.TEXT)),
            "two fields with the warehouse name 'x'",
        ),
        (
            (FieldColumns("a", "A", "x", FieldType.TEXT), FieldColumns("a", "B", "y", FieldType.TEXT)),
            "two fields with the id 'a'",
        ),
    ],
)
def test_fields_that_can_not_be_columns_are_refused(
    warehouse: Warehouse, fields: tuple[FieldColumns, ...], complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        warehouse.apply(ParserSchema("invoices", None, fields))
    assert warehouse.counts(published=False) == {}


def test_a_failure_half_way_changes_nothing(warehouse: Warehouse) -> None:
    warehouse.apply(INVOICES, [invoice(1)])
    before = contents(warehouse)

    def breaking() -> list[list[DocumentRow]]:
        raise RuntimeError("the catalog went away")

    def batches() -> object:
        yield [invoice(2)]
        breaking()

    with pytest.raises(RuntimeError, match="went away"):
        warehouse.replace(INVOICES, batches())  # type: ignore[arg-type]
    assert contents(warehouse) == before
    assert warehouse.apply(INVOICES, [invoice(2)]).documents == 1


def test_files_open_with_the_oldest_supported_duckdb(tmp_path: Path) -> None:
    warehouse = WarehouseFile(tmp_path)
    warehouse.apply(INVOICES, [invoice(1)])
    tags = select(
        warehouse, "SELECT tags['storage_version'] FROM duckdb_databases() WHERE database_name = 'analytics'"
    )
    assert tags[0][0].startswith("v1.5.0")


def test_time_is_linear_in_documents(tmp_path: Path) -> None:
    warehouse = WarehouseFile(tmp_path)
    batch = [invoice(number, rows=5, evidence=_dozen()) for number in range(200)]
    warehouse.apply(INVOICES, batch)
    small, large = (min(_timed(warehouse, part) for _ in range(3)) for part in (batch[:25], batch))
    assert large < 2 * 8 * small


def _dozen() -> list[EvidenceRow]:
    return [EvidenceRow("f_items", "c_item", 1, 1, 0.1, 0.1, 0.1, 0.1, 0.9, "x")] * 12


def _timed(warehouse: WarehouseFile, batch: list[DocumentRow]) -> float:
    began = time.process_time()
    warehouse.apply(INVOICES, batch)
    return time.process_time() - began


def test_several_parsers_are_written_in_one_transaction(warehouse: Warehouse) -> None:
    receipts = replace(INVOICES, schema="receipts")
    warehouse.apply(receipts, [invoice(1), invoice(2)])
    both = [ParserChanges(INVOICES, [invoice(3)]), ParserChanges(receipts, [invoice(2)], ["doc-1", "doc-9"])]
    applied = warehouse.apply_all(both)
    assert [(each.documents, each.deleted) for each in applied] == [(1, 0), (1, 1)]

    def fails() -> Iterator[DocumentRow]:
        yield invoice(4)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        warehouse.apply_all([ParserChanges(INVOICES, [invoice(5)]), ParserChanges(receipts, fails())])
    counts = warehouse.counts(published=False)
    assert {schema: tables["documents"] for schema, tables in counts.items()} == {
        "invoices": 1,
        "receipts": 1,
    }
    assert warehouse.apply_all([]) == []
