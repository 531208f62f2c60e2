"""SpreadsheetML (.xlsx, .xlsm; ECMA-376 part 1, section 18), streamed, without what is hidden."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from docduck.documents.formats.flow.pages import PageDraft
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.office.package import R_ID, Package
from docduck.documents.formats.office.sheets.number_format import (
    BUILT_IN,
    date_of,
    format_number,
    is_date_format,
)
from docduck.documents.formats.office.sheets.sheet_pages import (
    MAX_COLUMNS,
    CellBudget,
    Cells,
    Columns,
    Sheet,
    SheetCell,
    SheetPages,
    clean_cell_text,
)
from docduck.documents.formats.xml_tree import Element, iterate_xml, local
from docduck.errors import DamagedFile

MAX_STRINGS = 2_000_000
"""Shared strings of a workbook."""
MAX_SHEETS = 1000

_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


class XlsxReader(FlowReader):
    """Reads cells as they are shown: number formats applied, formulas by their stored results.

    Hidden sheets, rows and columns are left out.
    """

    def drafts(self, data: bytes, warnings: list[str]) -> Sequence[PageDraft]:
        """Return a page for every sheet and ``sheets.ROWS`` rows."""
        budget = CellBudget(warnings)
        return SheetPages(_Workbook(Package(data), warnings).sheets(budget), budget)


class _Workbook:
    def __init__(self, package: Package, warnings: list[str]) -> None:
        self.package, self.warnings = package, warnings
        self.main = package.main_part()
        self.relations = package.relations(self.main)
        self.formats = self._formats()
        self.strings = self._strings()
        self.epoch_1904 = False
        self.lacks_results = False

    def _formats(self) -> list[str]:
        """Return the number format code of each cell style."""
        root = self.package.related_tree(self.relations, "styles")
        if root is None:
            return []
        codes = dict(BUILT_IN)
        for node in root.iter("{*}numFmt"):
            if node.get("numFmtId", "").isdigit():
                codes[int(node.get("numFmtId"))] = node.get("formatCode", "")
        styles = root.find("{*}cellXfs")
        ids = [node.get("numFmtId", "0") for node in styles.iter("{*}xf")] if styles is not None else []
        return [codes.get(int(number), "General") if number.isdigit() else "General" for number in ids]

    def _strings(self) -> list[str]:
        part = self.package.first_part(self.relations, "sharedStrings")
        texts: list[str] = []
        if part:
            with self.package.stream(part) as stream:
                for node in iterate_xml(stream, "{*}si"):
                    if len(texts) >= MAX_STRINGS:
                        raise DamagedFile(f"more than {MAX_STRINGS} shared strings")
                    texts.append(_rich(node))
        return texts

    def sheets(self, budget: CellBudget) -> list[Sheet]:
        """Return the visible sheets in their order."""
        root = self.package.tree(self.main)
        properties = root.find("{*}workbookPr")
        self.epoch_1904 = properties is not None and properties.get("date1904", "0") in ("1", "true")
        sheets: list[Sheet] = []
        nodes = [node for node in root.iter("{*}sheet") if node.get("state", "visible") == "visible"]
        for node in nodes[:MAX_SHEETS]:
            kind, part = self.relations.get(node.get(R_ID, ""), ("", ""))
            if kind == "worksheet" and part in self.package:
                sheets.append(self._sheet(part, node.get("name", ""), budget))
        if self.lacks_results:
            self.warnings.append("Some formulas have no stored result; their cells are empty")
        return sheets

    def _sheet(self, part: str, name: str, budget: CellBudget) -> Sheet:
        sheet = Sheet(name)
        hidden: list[tuple[int, int]] = []
        hidden_columns: Columns | None = None
        number, full = -1, False
        with self.package.stream(part) as stream:
            for node in iterate_xml(stream, "{*}row", "{*}col", "{*}mergeCell"):
                tag = local(node)
                if tag == "col":
                    if _is_hidden(node, "width"):
                        hidden.append((int(node.get("min", 1)) - 1, int(node.get("max", 1)) - 1))
                        hidden_columns = None
                elif tag == "mergeCell":
                    merge = _range(node.get("ref", ""))
                    if merge:
                        sheet.merges.append(merge)
                elif not full:
                    row_number = node.get("r", "")
                    number = int(row_number) - 1 if row_number.isdigit() else number + 1
                    if _is_hidden(node, "ht"):
                        continue
                    hidden_columns = hidden_columns or Columns(hidden)
                    cells = self._cells(node, hidden_columns)
                    taken = budget.take(cells, name) if cells else cells
                    if taken:
                        sheet.rows.append((number, taken))
                    full = taken is None
        sheet.rows.sort(key=lambda row: row[0])
        return sheet

    def _cells(self, row: Element, hidden: Columns) -> Cells:
        """Return a row's texts by column, one more than is read of a row at most."""
        cells: Cells = []
        column = -1
        for node in row:
            place = _REFERENCE.match(node.get("r", ""))
            column = _column(place[1]) if place else column + 1
            if column not in hidden and (text := self._text(node)):
                cells.append(SheetCell(column, text, self._date(node)))
                if len(cells) > MAX_COLUMNS:
                    break
        return sorted(cells)

    def _text(self, cell: Element) -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            inline = cell.find("{*}is")
            return clean_cell_text(_rich(inline)) if inline is not None else ""
        value = cell.find("{*}v")
        raw: str | None = value.text if value is not None else None
        if not raw:
            self.lacks_results = self.lacks_results or (
                kind in ("n", "str") and cell.find("{*}f") is not None and raw is None
            )
            return ""
        if kind == "s":
            index = int(raw)
            return clean_cell_text(self.strings[index]) if 0 <= index < len(self.strings) else ""
        if kind == "b":
            return "TRUE" if raw.strip() == "1" else "FALSE"
        if kind == "n":
            return self._number(raw, cell.get("s", "0"))
        if kind == "d":
            return _iso(raw)
        return clean_cell_text(_unescaped(raw))

    def _number(self, raw: str, style: str) -> str:
        try:
            value = float(raw)
        except ValueError:
            return clean_cell_text(raw)
        code = self._format(style)
        return format_number(value, code, self.epoch_1904 and is_date_format(code))

    def _format(self, style: str) -> str:
        index = int(style) if style.isdigit() else 0
        return self.formats[index] if index < len(self.formats) else "General"

    def _date(self, cell: Element) -> str:
        """Return the date of a cell whose number is one, ISO 8601; nothing for others."""
        value = cell.find("{*}v") if cell.get("t", "n") == "n" else None
        try:
            number = float(value.text or "") if value is not None else 0.0
        except ValueError:
            return ""
        return date_of(number, self._format(cell.get("s", "0")), self.epoch_1904)


def _rich(node: Element) -> str:
    """Return the text of a string with runs, without phonetic hints."""
    parts = [
        text.text or ""
        for text in node.iter("{*}t")
        if (parent := text.getparent()) is None or local(parent) != "rPh"
    ]
    return _unescaped("".join(parts))


def _unescaped(text: str) -> str:
    """Return the text with ``_x000D_`` and the like decoded (ST_Xstring in part 1, 18.4.8)."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _iso(raw: str) -> str:
    try:
        when = datetime.fromisoformat(raw.strip())
    except ValueError:
        return clean_cell_text(raw)
    return f"{when:%Y-%m-%d}" if when.time() == datetime.min.time() else f"{when:%Y-%m-%d %H:%M}"


def _is_hidden(node: Element, size: str) -> bool:
    """Return whether a row or column is hidden, or has no height or width, the attribute ``size``."""
    return node.get("hidden", "0") in ("1", "true") or not node.get(size, "1").strip("0.")


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def _range(reference: str) -> tuple[int, int, int, int] | None:
    first, _, last = reference.partition(":")
    match, other = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last)
    if not match or not other:
        return None
    return int(match[2]) - 1, _column(match[1]), int(other[2]) - 1, _column(other[1])
