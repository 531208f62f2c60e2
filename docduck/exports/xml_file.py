"""XML exports by the schema ``exports.xsd``; field names are attributes, so that any name is valid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, BinaryIO

from lxml import etree

from docduck.exports.columns import column_of, columns_of
from docduck.exports.model import ExportDocument, Scope, Written
from docduck.exports.plan import ExportPlan
from docduck.exports.rows import Row, Sheet, SheetRows, nested, sheets
from docduck.exports.values import cell_text, printable
from docduck.fields import Field, FieldType
from docduck.ids import unique


def write_xml(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write ``<documents>``, ``<rows>`` or, for ``all_sheets``, ``<sheets>``."""
    with etree.xmlfile(target, encoding="utf-8") as file:
        file.write_declaration()
        if plan.scope in (None, Scope.FIELDS_ONLY):
            return _write_documents(file, documents, plan)
        sheet_rows = SheetRows(documents, sheets(plan), lambda column: _content)
        if plan.scope is Scope.ALL_SHEETS:
            _write_sheets(file, sheet_rows)
        else:
            table = {"table": printable(plan.table.name)} if plan.table else {}
            for sheet, rows in sheet_rows:
                with file.element("rows", table):
                    _write_rows(file, sheet, rows)
        return Written(sheet_rows.document_count, sheet_rows.row_count)


def _write_documents(file: Any, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    if plan.columns is not None:
        return _write_chosen(file, documents, plan)
    fields = plan.scalars if plan.scope is Scope.FIELDS_ONLY else plan.fields
    data, parts = nested(fields), [_part(field) for field in fields]
    count = 0
    with file.element("documents"):
        for document in documents:
            count += 1
            element = etree.Element("document", _attributes(document))
            for part, value in zip(parts, data(document).values(), strict=True):
                part(element, value)
            _write_line(file, element)
    return Written(count, count)


def _write_chosen(file: Any, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write the fields that a layout chooses; the chosen properties are fields, too."""
    (sheet,) = sheets(plan)
    read, count = sheet.reader(lambda column: _content), 0
    with file.element("documents"):
        for document in documents:
            count += 1
            element = etree.Element("document", _attributes(document))
            for row in read(document):
                _fill(element, [column.name for column in sheet.columns], row)
            _write_line(file, element)
    return Written(count, count)


def _attributes(document: ExportDocument) -> dict[str, str]:
    return {
        "id": document.id,
        "name": printable(document.name),
        "externalId": printable(document.external_id or ""),
        "status": document.status,
    }


def _part(field: Field) -> Callable[[Any, Any], None]:
    """Return a function that adds a field's value to an element."""
    if field.type is FieldType.TABLE:
        return partial(_add_table, printable(field.name), [column.name for column in columns_of(field)])
    return partial(_add_field, printable(column_of(field).name))


def _add_field(name: str, element: Any, value: Any) -> None:
    _fill(element, [name], [_content(value)])


def _add_table(name: str, names: Sequence[str], element: Any, rows: Iterable[dict[str, Any]]) -> None:
    table = etree.SubElement(element, "table", name=name)
    for row in rows:
        _fill(etree.SubElement(table, "row"), names, [_content(value) for value in row.values()])


def _fill(element: Any, names: Sequence[str], contents: Sequence[str | None]) -> None:
    for name, content in zip(names, contents, strict=True):
        if content is not None:
            etree.SubElement(element, "field", name=printable(name)).text = content


def _write_sheets(file: Any, sheet_rows: SheetRows) -> None:
    taken: list[str] = []
    with file.element("sheets"):
        for sheet, rows in sheet_rows:
            taken.append(unique(printable(sheet.name), taken))
            with file.element("sheet", name=taken[-1]):
                _write_rows(file, sheet, rows)


def _write_rows(file: Any, sheet: Sheet, rows: Iterator[Row]) -> None:
    """Write rows with elements that are used again for each: creating them takes most of the time."""
    row = etree.Element("row")
    fields = [etree.Element("field", name=printable(column.name)) for column in sheet.columns]
    present: list[int] = []
    for values in rows:
        filled = [place for place, value in enumerate(values) if value is not None]
        if filled != present:
            row[:] = [fields[place] for place in filled]
            present = filled
        for place in filled:
            fields[place].text = values[place]
        _write_line(file, row)


def _write_line(file: Any, element: Any) -> None:
    element.tail = "\n"
    file.write(element, with_tail=True)


def _content(value: Any) -> str | None:
    return None if value is None or value == [] else cell_text(value)
