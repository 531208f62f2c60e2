"""JSON exports: UTF-8 without escapes, one document or row per line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any, BinaryIO

from docduck.clock import iso
from docduck.exports.model import ExportDocument, Scope, Written
from docduck.exports.plan import ExportPlan
from docduck.exports.rows import Source, nested, sheets, unique
from docduck.exports.spool import copy_spool, open_spool
from docduck.exports.values import json_ready


def write_json(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write nested documents, an array of row objects, or for ``all_sheets`` an object of arrays."""
    source = Source(documents)
    if plan.scope is None:
        _write_array(target, (_document(document, plan) for document in source.documents()))
    elif plan.scope is Scope.ALL_SHEETS:
        _write_sheets(target, source, plan)
    else:
        layout = sheets(plan)
        names = [column.name for column in layout[0].columns]
        _write_array(target, (dict(zip(names, row, strict=True)) for _, row in source.rows(layout)))
    return source.written


def _document(document: ExportDocument, plan: ExportPlan) -> dict[str, Any]:
    return {
        "document": {
            "id": document.id,
            "name": json_ready(document.name),
            "externalId": json_ready(document.external_id),
            "status": document.status,
            "createdAt": iso(document.created_at),
            "updatedAt": iso(document.updated_at),
            "custom": json_ready(document.custom),
        },
        "data": nested(plan.fields, document.data),
    }


def _write_array(target: BinaryIO, items: Iterator[dict[str, Any]]) -> None:
    start = b"[\n"
    for item in items:
        target.write(start + _dump(item))
        start = b",\n"
    target.write(b"[]\n" if start == b"[\n" else b"\n]\n")


def _write_sheets(target: BinaryIO, source: Source, plan: ExportPlan) -> None:
    layout = sheets(plan)
    names = [[column.name for column in sheet.columns] for sheet in layout]
    with ExitStack() as stack:
        spools = [stack.enter_context(open_spool()) for _ in layout]
        started = [False] * len(layout)
        for index, row in source.rows(layout):
            line = _dump(dict(zip(names[index], row, strict=True)))
            spools[index].write(b",\n" + line if started[index] else line)
            started[index] = True
        keys: list[str] = []
        for sheet, spool in zip(layout, spools, strict=True):
            target.write(b",\n" if keys else b"{\n")
            keys.append(unique(sheet.name, keys))
            target.write(_dump(keys[-1]) + b": [\n")
            copy_spool(spool, target)
            target.write(b"\n]")
        target.write(b"\n}\n")


def _dump(item: Any) -> bytes:
    return json.dumps(item, ensure_ascii=False, allow_nan=False).encode()
