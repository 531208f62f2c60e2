"""The parts of a workbook other than worksheets (ECMA-376, Office Open XML, part 1: SpreadsheetML)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from xml.sax.saxutils import quoteattr

_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_PART = "application/vnd.openxmlformats-officedocument.spreadsheetml"


class Style(IntEnum):
    """Cell styles: indexes into ``cellXfs`` of the style sheet."""

    PLAIN = 0
    DATE = 1
    MOMENT = 2
    HEADING = 3


_STYLES = f"""<styleSheet xmlns="{_MAIN}">\
<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>\
<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>\
<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill>\
<fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>"""

SHEET_END = b"</sheetData></worksheet>"


def sheet_start(columns: int) -> bytes:
    """Return a worksheet's XML up to its rows: frozen heading, wide columns."""
    return (
        f'{_DECLARATION}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
        f'<cols><col min="1" max="{columns}" width="18" customWidth="1"/></cols><sheetData>'
    ).encode()


def sheet_path(number: int) -> str:
    """Return the path of worksheet ``number``, from 1, in the package."""
    return f"xl/worksheets/sheet{number}.xml"


def column_letters(number: int) -> str:
    """Return column letters: 1 → ``A``, 26 → ``Z``, 27 → ``AA``."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def parts(names: Sequence[str]) -> dict[str, str]:
    """Return all parts but the worksheets, by path, for worksheets called ``names``."""
    numbers = range(1, len(names) + 1)
    overrides = "".join(
        f'<Override PartName="/{sheet_path(number)}" ContentType="{_PART}.worksheet+xml"/>'
        for number in numbers
    )
    sheets = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{number}" r:id="rId{number}"/>'
        for number, name in zip(numbers, names, strict=True)
    )
    relations = "".join(_relation(number, "worksheet", f"worksheets/sheet{number}.xml") for number in numbers)
    bodies = {
        "[Content_Types].xml": (
            f'<Types xmlns="{_TYPES}"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{_PART}.sheet.main+xml"/>'
            f'<Override PartName="/xl/styles.xml" ContentType="{_PART}.styles+xml"/>{overrides}</Types>'
        ),
        "_rels/.rels": _relations(_relation(1, "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": (
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><bookViews><workbookView/></bookViews>'
            f"<sheets>{sheets}</sheets></workbook>"
        ),
        "xl/_rels/workbook.xml.rels": _relations(
            relations + _relation(len(names) + 1, "styles", "styles.xml")
        ),
        "xl/styles.xml": _STYLES,
    }
    return {path: _DECLARATION + body for path, body in bodies.items()}


def _relation(number: int, kind: str, target: str) -> str:
    return f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'


def _relations(content: str) -> str:
    return f'<Relationships xmlns="{_RELATIONS}">{content}</Relationships>'
