"""JSON exports: UTF-8 without escapes, one document or row per line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, BinaryIO

import msgspec

from docduck.clock import iso
from docduck.exports.model import ExportDocument, Scope, Written
from docduck.exports.plan import ExportPlan
from docduck.exports.rows import Row, Sheet, SheetRows, as_is, nested, sheets
from docduck.exports.values import json_ready
from docduck.ids import unique

_BATCH = 100
_ENCODER = msgspec.json.Encoder(decimal_format="number")


def write_json(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write nested documents, an array of row objects, or for ``all_sheets`` an object of arrays."""
    if plan.scope is None:
        count = _write_array(target, _documents(documents, plan))
        target.write(b"\n")
        return Written(count, count)
    sheet_rows = SheetRows(documents, sheets(plan), lambda column: as_is)
    if plan.scope is Scope.ALL_SHEETS:
        _write_sheets(target, sheet_rows)
    else:
        for sheet, rows in sheet_rows:
            _write_array(target, _objects(sheet, rows))
        target.write(b"\n")
    return Written(sheet_rows.document_count, sheet_rows.row_count)


def _documents(documents: Iterable[ExportDocument], plan: ExportPlan) -> Iterator[dict[str, Any]]:
    data = nested(plan.fields)
    for document in documents:
        yield {
            "document": {
                "id": document.id,
                "name": document.name,
                "externalId": document.external_id,
                "status": document.status,
                "createdAt": iso(document.created_at),
                "updatedAt": iso(document.updated_at),
                "custom": document.custom,
            },
            "data": data(document),
        }


def _write_sheets(target: BinaryIO, sheet_rows: SheetRows) -> None:
    target.write(b"{\n")
    keys: list[str] = []
    for sheet, rows in sheet_rows:
        if keys:
            target.write(b",\n")
        keys.append(unique(sheet.name, keys))
        target.write(_ENCODER.encode(json_ready(keys[-1])) + b": ")
        _write_array(target, _objects(sheet, rows))
    target.write(b"\n}\n")


def _objects(sheet: Sheet, rows: Iterator[Row]) -> Iterator[dict[str, Any]]:
    names = [column.name for column in sheet.columns]
    for row in rows:
        yield dict(zip(names, row, strict=True))


def _write_array(target: BinaryIO, items: Iterator[dict[str, Any]]) -> int:
    """Write an array with one item per line; return how many."""
    separator, count = b"[\n", 0
    while batch := list(islice(items, _BATCH)):
        # Line ends inside of values are escaped.
        target.write(separator + _lines(batch).rstrip(b"\n").replace(b"\n", b",\n"))
        separator, count = b",\n", count + len(batch)
    target.write(b"\n]" if count else b"[]")
    return count


def _lines(items: list[dict[str, Any]]) -> bytes:
    try:
        return _ENCODER.encode_lines(items)
    except (UnicodeEncodeError, TypeError, OverflowError):
        # A lone surrogate, or a value that is not from JSON.
        return _ENCODER.encode_lines(json_ready(items))
