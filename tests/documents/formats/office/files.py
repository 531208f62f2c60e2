"""Office files the tests make: with the usual libraries, or zipped from XML written here."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import docx
import openpyxl
import pptx
import xlwt
from pptx.util import Inches

HEAD = ("Pos", "Description", "Qty", "Price", "Amount")
ROWS = (("1", "Steel bolt M8", "10", "2.50", "25.00"), ("2", "Copper wire", "3", "15.00", "45.00"))
FACTS = (("Invoice Number", "INV-4711"), ("Invoice Date", "2024-03-15"), ("Total", "70.00"))


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip of the given entries."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return buffer.getvalue()


def saved(document: Any) -> bytes:
    """Return the bytes that a library's document writes."""
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def replaced(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """Return a zip with one entry changed."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {entry: package.read(entry) for entry in package.namelist()}
    return zipped({**parts, name: change(parts[name])})


def enlarged(data: bytes, part: str) -> bytes:
    """A zip that begins with another part of 200 KB which does not compress, so that all others follow it."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {entry: package.read(entry) for entry in package.namelist()}
    return zipped({part: random.Random(1).randbytes(200_000), **parts})


def invoice_docx() -> bytes:
    document = docx.Document()
    document.add_heading("Invoice", 1)
    for label, value in FACTS[:2]:
        document.add_paragraph(f"{label}:\t{value}")
    table = document.add_table(0, len(HEAD))
    for row in (HEAD, *ROWS):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    document.add_paragraph("Total:\t70.00")
    return saved(document)


def invoice_pptx() -> bytes:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Invoice"
    box = slide.shapes.add_textbox(Inches(1), Inches(1.7), Inches(6), Inches(1.2))
    box.text_frame.text = "\n".join(f"{label}: {value}" for label, value in FACTS)
    table = slide.shapes.add_table(3, 5, Inches(1), Inches(3.5), Inches(8), Inches(2)).table
    for r, row in enumerate((HEAD, *ROWS)):
        for c, text in enumerate(row):
            table.cell(r, c).text = text
    return saved(deck)


def invoice_xlsx() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    for label, value in FACTS[:1]:
        sheet.append([label, value])
    sheet.append(["Invoice Date", date(2024, 3, 15)])
    sheet.append([])
    sheet.append(list(HEAD))
    for row in ROWS:
        sheet.append([int(row[0]), row[1], int(row[2]), float(row[3]), float(row[4])])
    for cells in sheet["D5:E6"]:
        for cell in cells:
            cell.number_format = "#,##0.00"
    sheet.append([])
    sheet.append(["Total", None, None, None, 70])
    sheet["E8"].number_format = "0.00"
    return saved(book)


def invoice_xls() -> bytes:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Invoice")
    money = xlwt.easyxf(num_format_str="#,##0.00")
    day = xlwt.easyxf(num_format_str="YYYY-MM-DD")
    sheet.write(0, 0, "Invoice Number")
    sheet.write(0, 1, "INV-4711")
    sheet.write(1, 0, "Invoice Date")
    sheet.write(1, 1, date(2024, 3, 15), day)
    for column, text in enumerate(HEAD):
        sheet.write(3, column, text)
    for r, row in enumerate(ROWS, 4):
        sheet.write(r, 0, int(row[0]))
        sheet.write(r, 1, row[1])
        sheet.write(r, 2, int(row[2]))
        sheet.write(r, 3, float(row[3]), money)
        sheet.write(r, 4, float(row[4]), money)
    sheet.write(7, 0, "Total")
    sheet.write(7, 4, 70.0, money)
    return saved(book)


_SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in {
        "office": "office", "text": "text", "table": "table", "style": "style", "draw": "drawing",
        "fo": "xsl-fo-compatible", "manifest": "manifest",
    }.items()
)  # fmt: skip


def open_document(kind: str, body: str, styles: str = "", shared: str = "") -> bytes:
    """Return an OpenDocument file of ``kind`` (text, spreadsheet) with automatic styles and a body."""
    content = (
        f"<office:document-content {_SPACES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": content,
            "styles.xml": f"<office:document-styles {_SPACES}>{shared}</office:document-styles>",
            "META-INF/manifest.xml": f"<manifest:manifest {_SPACES}/>",
        }
    )


def odf_table(*rows: tuple[str, ...]) -> str:
    """Return a table's XML."""
    cells = (
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in row)
        + "</table:table-row>"
        for row in rows
    )
    return f'<table:table table:name="Sheet">{"".join(cells)}</table:table>'


def invoice_odt() -> bytes:
    facts = "".join(f"<text:p>{label}:<text:tab/>{value}</text:p>" for label, value in FACTS)
    return open_document("text", f"<text:h>Invoice</text:h>{facts}{odf_table(HEAD, *ROWS)}")


def invoice_ods() -> bytes:
    return open_document("spreadsheet", odf_table(*FACTS, ("",), HEAD, *ROWS))
