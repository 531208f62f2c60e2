"""XML exports; field names are ``name`` attributes, so that any name is valid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

from docduck.exports.model import ExportDocument, Scope, Written
from docduck.exports.plan import ExportPlan
from docduck.exports.rows import Row, Sheet, Source, nested, sheets, unique
from docduck.exports.spool import copy_spool, open_spool
from docduck.exports.values import Flat, flat, printable, text
from docduck.fields import Field, FieldType

_DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'


def write_xml(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write ``<documents>``, ``<rows>`` or, for ``all_sheets``, ``<sheets>``."""
    source = Source(documents)
    target.write(_DECLARATION)
    if plan.scope in (None, Scope.FIELDS_ONLY):
        _write_documents(target, source, plan)
    elif plan.scope is Scope.ALL_SHEETS:
        _write_sheets(target, source, plan)
    else:
        _write_rows(target, source, plan)
    return source.written


def _write_documents(target: BinaryIO, source: Source, plan: ExportPlan) -> None:
    fields = plan.scalars if plan.scope is Scope.FIELDS_ONLY else plan.fields
    target.write(b"<documents>\n")
    for document in source.documents():
        target.write(_document(document, fields).encode())
    target.write(b"</documents>\n")


def _document(document: ExportDocument, fields: Sequence[Field]) -> str:
    attributes = {
        "id": document.id,
        "name": document.name,
        "externalId": document.external_id,
        "status": document.status,
    }
    parts = [f"<document{''.join(_attribute(name, value) for name, value in attributes.items())}>"]
    for field, value in zip(fields, nested(fields, document.data).values(), strict=True):
        if field.type is FieldType.TABLE:
            tags = _Tags([column.name for column in field.columns])
            rows = (tags.row([flat(cell) for cell in row.values()]) for row in value)
            parts.append(f"<table{_attribute('name', field.name)}>{''.join(rows)}</table>")
        else:
            parts.append(_Tags([field.name]).fields([flat(value)]))
    return f"{''.join(parts)}</document>\n"


def _write_rows(target: BinaryIO, source: Source, plan: ExportPlan) -> None:
    layout = sheets(plan)
    tags = _Tags.of(layout[0])
    of_table = _attribute("table", plan.table.name) if plan.table else ""
    target.write(f"<rows{of_table}>\n".encode())
    for _, row in source.rows(layout):
        target.write(f"{tags.row(row)}\n".encode())
    target.write(b"</rows>\n")


def _write_sheets(target: BinaryIO, source: Source, plan: ExportPlan) -> None:
    layout = sheets(plan)
    tags = [_Tags.of(sheet) for sheet in layout]
    with ExitStack() as stack:
        spools = [stack.enter_context(open_spool()) for _ in layout]
        for index, row in source.rows(layout):
            spools[index].write(f"{tags[index].row(row)}\n".encode())
        target.write(b"<sheets>\n")
        taken: list[str] = []
        for sheet, spool in zip(layout, spools, strict=True):
            taken.append(unique(_shown(sheet.name), taken))
            target.write(f"<sheet{_attribute('name', taken[-1])}>\n".encode())
            copy_spool(spool, target)
            target.write(b"</sheet>\n")
        target.write(b"</sheets>\n")


class _Tags:
    """The start tags of a row's fields, made once for all rows."""

    def __init__(self, names: Sequence[str]) -> None:
        self._starts = [f"<field{_attribute('name', name)}" for name in names]

    @classmethod
    def of(cls, sheet: Sheet) -> _Tags:
        return cls([column.name for column in sheet.columns])

    def row(self, values: Row) -> str:
        return f"<row>{self.fields(values)}</row>"

    def fields(self, values: Row) -> str:
        return "".join(
            f"{start}/>" if value is None else f"{start}>{_content(value)}</field>"
            for start, value in zip(self._starts, values, strict=True)
        )


def _content(value: Flat) -> str:
    return escape(printable(text(value)), {"\r": "&#13;"})


def _attribute(name: str, value: str | None) -> str:
    return f" {name}={quoteattr(_shown(value))}"


def _shown(value: str | None) -> str:
    return printable(text(flat(value)))
