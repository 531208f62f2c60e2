"""The published copy as polars frames."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from docduck.errors import InputError, NotFound
from docduck.warehouse.frames import PublishedTable
from docduck.warehouse.published_copy import PublishedCopy
from docduck.warehouse.warehouse_file import WarehouseFile
from tests.warehouse.samples import INVOICES, invoice


@pytest.fixture
def warehouse(tmp_path: Path) -> WarehouseFile:
    made = WarehouseFile(tmp_path)
    made.apply(INVOICES, [invoice(1), invoice(2)])
    made.publish(force=True)
    return made


def table(warehouse: WarehouseFile, name: str, *columns: str) -> PublishedTable:
    return PublishedTable(PublishedCopy(warehouse.published), "invoices", name, columns or None)


def test_a_query_is_a_frame_with_the_columns_types(warehouse: WarehouseFile) -> None:
    columns = "invoice_no, total, invoice_date, paid, tags, created_at"
    sql = f"SELECT {columns} FROM invoices.documents WHERE invoice_no = ?"
    frame = warehouse.frame(sql, ["INV-1"])
    assert frame.schema == {
        "invoice_no": pl.String,
        "total": pl.Decimal(38, 2),
        "invoice_date": pl.Date,
        "paid": pl.Boolean,
        "tags": pl.List(pl.String),
        "created_at": pl.Datetime("us"),
    }
    moment = dt.datetime(2026, 1, 31, 8, 30)
    assert frame.rows() == [("INV-1", Decimal("101.10"), dt.date(2026, 1, 31), False, ["a", "ü"], moment)]


@pytest.mark.parametrize("sql", ["SELECT nothing", "CREATE TABLE t (i INTEGER)", "SELECT * FROM 'x.csv'"])
def test_a_wrong_query_is_an_input_error(warehouse: WarehouseFile, sql: str) -> None:
    with pytest.raises(InputError):
        warehouse.frame(sql)


def test_nothing_is_published_yet(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="after the first document"):
        WarehouseFile(tmp_path).frame("SELECT 1")
    with pytest.raises(InputError, match="after the first document"):
        PublishedTable(PublishedCopy(tmp_path / "analytics.duckdb"), "invoices", "documents").scan()


def test_a_table_is_a_frame(warehouse: WarehouseFile) -> None:
    rows = table(warehouse, "line_items", "item", "quantity").frame()
    assert rows.sort("quantity").rows() == 2 * [("Thing 1", Decimal("1.50"))] + 2 * [
        ("Thing 2", Decimal("3.00"))
    ]
    assert table(warehouse, "line_items").frame().columns == ["document_id", "row_number", "item", "quantity"]


def test_a_lazy_frame_reads_what_it_needs_when_it_is_collected(warehouse: WarehouseFile) -> None:
    lazy = table(warehouse, "documents").scan()
    assert lazy.collect().equals(table(warehouse, "documents").frame())
    warehouse.apply(INVOICES, [invoice(3)])
    warehouse.publish(force=True)
    chosen = lazy.filter(pl.col("total") > 101.5).select("invoice_no").sort("invoice_no")
    assert chosen.collect().rows() == [("INV-2",), ("INV-3",)]
    assert lazy.head(2).collect().height == 2
    assert lazy.select(pl.len()).collect().item() == 3


def test_a_table_that_is_gone_is_named_with_those_that_exist(warehouse: WarehouseFile) -> None:
    with pytest.raises(NotFound, match=r"no table invoices.rows in .*invoices.documents, inv"):
        table(warehouse, "rows").frame()
    with pytest.raises(NotFound, match=r"line_items has no column vat; it has document_id, row_number"):
        table(warehouse, "line_items", "vat").frame()
    lazy = table(warehouse, "documents").scan()
    warehouse.drop("invoices")
    warehouse.publish(force=True)
    with pytest.raises(Exception, match=r"no table invoices.documents in .*Tables there: none"):
        lazy.collect()


def test_names_are_quoted(warehouse: WarehouseFile) -> None:
    with pytest.raises(NotFound):
        PublishedTable(
            PublishedCopy(warehouse.published), 'invoices"; DROP SCHEMA x; --', "documents"
        ).frame()


def test_tables_of_a_copy_that_is_held_are_of_one_moment(warehouse: WarehouseFile) -> None:
    copy = PublishedCopy(warehouse.published)
    documents, items = (PublishedTable(copy, "invoices", name) for name in ("documents", "line_items"))
    copy.hold()
    lazy = items.scan()
    assert documents.frame().height == 2
    warehouse.apply(INVOICES, [invoice(3)])
    warehouse.publish(force=True)
    assert items.frame()["document_id"].n_unique() == 2
    assert lazy.collect()["document_id"].n_unique() == 2
    copy.hold()
    assert documents.frame().height == 2
    copy.release()
    copy.release()
    assert documents.frame().height == 3
    assert lazy.collect()["document_id"].n_unique() == 3
