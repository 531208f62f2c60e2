"""Parsers and documents for the warehouse's tests, and everything a DuckDB file holds, to compare."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import duckdb

from docduck.fields import FieldType
from docduck.warehouse.lake.lake import Lake
from docduck.warehouse.rows import DocumentRow, EvidenceRow, FieldColumns, ParserSchema
from docduck.warehouse.warehouse import Warehouse
from docduck.warehouse.warehouse_file import WarehouseFile

NUMBER = FieldColumns("f_number", "Invoice No.", "invoice_no", FieldType.TEXT, "As printed")
TOTAL = FieldColumns("f_total", "Total", "total", FieldType.CURRENCY, "With tax")
DATE = FieldColumns("f_date", "Invoice Date", "invoice_date", FieldType.DATE)
PAID = FieldColumns("f_paid", "Paid", "paid", FieldType.BOOLEAN)
TAGS = FieldColumns("f_tags", "Tags", "tags", FieldType.LIST)
QUANTITY = FieldColumns("c_quantity", "Quantity", "quantity", FieldType.NUMBER)
ITEM = FieldColumns("c_item", "Item", "item", FieldType.TEXT, "What was sold")
ITEMS = FieldColumns("f_items", "Line Items", "line_items", FieldType.TABLE, "One per line", (ITEM, QUANTITY))
INVOICES = ParserSchema("invoices", "Invoices that came in", (NUMBER, TOTAL, DATE, PAID, TAGS, ITEMS))

MOMENT = dt.datetime(2026, 1, 31, 9, 30, tzinfo=dt.timezone(dt.timedelta(hours=1)))


def invoice(number: int, rows: int = 2, **changes: Any) -> DocumentRow:
    """Document ``doc-<number>`` with values, ``rows`` line items and evidence for each."""
    values: dict[str, Any] = {
        "document_id": f"doc-{number}",
        "name": f"invoice {number}.pdf",
        "status": "processed",
        "source": "folder",
        "page_count": 1,
        "created_at": MOMENT,
        "confidence": 0.9,
        "values": {
            "f_number": f"INV-{number}",
            "f_total": 100.1 + number,
            "f_date": "2026-01-31",
            "f_paid": number % 2 == 0,
            "f_tags": ["a", "ü"],
        },
        "tables": {
            "f_items": [{"c_item": f"Thing {row}", "c_quantity": 1.5 * row} for row in range(1, rows + 1)]
        },
        "evidence": [
            EvidenceRow("f_number", None, None, 1, 0.1, 0.2, 0.3, 0.04, 0.95, f"INV-{number}"),
            *(
                EvidenceRow("f_items", "c_item", row, 1, 0.1, 0.2, 0.3, 0.04, 0.9, f"Thing {row}")
                for row in range(1, rows + 1)
            ),
        ],
    }
    return DocumentRow(**{**values, **changes})


def contents(there: Path | Warehouse) -> dict[str, Any]:
    """Every table of a file or a warehouse: its comment, its columns in order with type and comment, its
    rows sorted.
    """
    if isinstance(there, Lake):
        with there._transaction() as lake:
            return _contents(lake)
    path = there.path if isinstance(there, WarehouseFile) else there
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{path}' AS it (READ_ONLY)")
        connection.execute("USE it")
        return _contents(connection)


def _contents(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    tables = connection.execute(
        "SELECT schema_name, table_name, comment FROM duckdb_tables() WHERE database_name ="
        " current_database()"
    ).fetchall()
    found: dict[str, Any] = {}
    for schema, table, comment in tables:
        columns = connection.execute(
            "SELECT column_name, data_type, comment FROM duckdb_columns() WHERE database_name ="
            " current_database() AND schema_name = ? AND table_name = ? ORDER BY column_index",
            [schema, table],
        ).fetchall()
        rows = connection.execute(f'FROM "{schema}"."{table}" ORDER BY ALL').fetchall()
        found[f"{schema}.{table}"] = (comment, columns, rows)
    return found


def select(warehouse: Warehouse, sql: str) -> list[tuple[Any, ...]]:
    """Rows of a query to what is published now."""
    warehouse.publish(force=True)
    return warehouse.query(sql).rows
