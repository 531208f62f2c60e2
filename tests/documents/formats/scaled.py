"""Files of any size, of every kind of content whose reading could cost more than its size.

``SCALED`` names them. ``make(full)`` is as large as an attack that an upload allows: some megabytes, or a
small file that unpacks to much. Benchmarks and tests make them at fractions of ``full``.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.documents.formats.office.files import open_document, zipped
from tests.documents.formats.rawpdf import CATALOG, FONT, RESOURCES, one_page, raw, stream

_WORDS = [
    "the", "of", "invoice", "and", "delivery", "payment", "within", "thirty", "days", "Bristol", "goods",
    "services", "agreement", "between", "party", "contract", "shall", "be", "governed", "by", "law", "supplier",
    "customer", "amount", "due", "total", "net", "price", "quantity", "order", "reference",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scaled:
    """``make(n)`` makes a file named ``name`` whose content grows with ``n``, of ``smallest`` to ``full``."""

    name: str
    make: Callable[[int], bytes]
    full: int
    smallest: int = 4
    """A table of fewer rows may be none."""
    calls: int | None = None
    """So many nested calls bound what is read; None for Python's own limit."""


def words(count: int, seed: int = 1) -> list[str]:
    """Return words of running text, always the same."""
    chance = random.Random(seed)
    return [f"{chance.choice(_WORDS)}{chance.choice(('', '', '', '', ',', '.'))}" for _ in range(count)]


def lines(count: int, length: int = 12) -> list[str]:
    """Return lines of running text."""
    chance = random.Random(2)
    pool = [" ".join(words(length, seed)) for seed in range(200)]
    return [chance.choice(pool) for _ in range(count)]


def flate(data: bytes) -> bytes:
    """Return a compressed PDF stream."""
    return stream(zlib.compress(data), b"/Filter /FlateDecode")


def _text(lines_: list[str]) -> bytes:
    return "\n".join(lines_).encode()


# --- plain text -------------------------------------------------------------------------------------------


def paragraphs(n: int) -> bytes:
    return "\n\n".join(" ".join(words(80, seed)) for seed in range(n)).encode()


def labels(n: int) -> bytes:
    names = ("Invoice number", "Invoice date", "Total", "Due date", "Customer", "VAT", "Order no.", "Net")
    return _text(
        [f"{names[i % 8]}: {i}   {names[(i + 3) % 8]}: {i * 7 % 1000}.{i % 90 + 10}" for i in range(n)]
    )


def label_words(n: int) -> bytes:
    names = ("Invoice", "number", "Total", "Date", "Order", "No.", "VAT", "Amount", "due")
    return _text([" ".join(names[(i + k) % 9] for k in range(9)) for i in range(n)])


def ibans(n: int) -> bytes:
    return _text(
        [f"IBAN DE{i % 90 + 10} {i * 7919 % 10000:04} 5000 1000 {i % 10000:04} 00" for i in range(n)]
    )


def amounts(n: int) -> bytes:
    return _text(
        [
            f"{i % 1000}.{i % 90 + 10} {i * 3 % 1000}.{i % 80 + 10}   {i * 11 % 999}.{i % 70 + 10} EUR"
            for i in range(n)
        ]
    )


def dates(n: int) -> bytes:
    return _text(
        [
            f"{i % 28 + 1:02}.{i % 12 + 1:02}.20{i % 30:02}   {i % 28 + 1} March 20{i % 30:02}   01/0{i % 9 + 1}/2024"
            for i in range(n)
        ]
    )


def addresses(n: int) -> bytes:
    return _text(
        [
            line
            for i in range(n)
            for line in (
                f"Acme {i} Trading Limited",
                f"{i % 300} Harbour Road",
                f"BS{i % 30} {i % 9}AB Bristol",
                "United Kingdom",
                "",
            )
        ]
    )


# --- delimited --------------------------------------------------------------------------------------------


def csv_columns(n: int) -> bytes:
    row = b",".join(b"%d" % i for i in range(n))
    return row + b"\n" + row + b"\n"


def csv_long_cells(n: int) -> bytes:
    cell = " ".join(words(1500))
    return b"a,b\n" + b"".join(b"%d,%s\n" % (i, cell.replace(",", "").encode()) for i in range(n))


# --- office -----------------------------------------------------------------------------------------------

_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def xlsx(sheet: str, strings: str = "", after: str = "", columns: str = "", more: int = 0) -> bytes:
    """Return a workbook of one sheet from the XML of its rows; ``more`` further sheets are the same."""
    body = f'<worksheet xmlns="{_SHEET}">{columns}<sheetData>{sheet}</sheetData>{after}</worksheet>'
    sheets = "".join(f'<sheet name="S{i}" sheetId="{i + 1}" r:id="r{i}"/>' for i in range(more + 1))
    relations = "".join(
        f'<Relationship Id="r{i}" Type="{_OFFICE}/worksheet" Target="sheet1.xml"/>' for i in range(more + 1)
    )
    return zipped(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
            "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="m" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}">{relations}<Relationship Id="s" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
            "xl/sharedStrings.xml": f'<sst xmlns="{_SHEET}">{strings}</sst>',
            "xl/sheet1.xml": body,
        }
    )


def xlsx_columns(n: int) -> bytes:
    row = "<row>" + "<c><v>1</v></c>" * min(n, 16_384) + "</row>"
    return xlsx(row * max(n // 1000, 1))


def xlsx_merges(n: int) -> bytes:
    rows = "".join(f"<row>{'<c><v>1</v></c>' * 4}</row>" for _ in range(n))
    merges = "".join(f'<mergeCell ref="A{i + 1}:C{i + 200}"/>' for i in range(n))
    return xlsx(rows, after=f"<mergeCells>{merges}</mergeCells>")


def xlsx_wide_merges(n: int) -> bytes:
    rows = "".join(f"<row>{'<c><v>1</v></c>' * 40}</row>" for _ in range(n))
    merges = '<mergeCell ref="A1:XFD1048576"/>' * n
    return xlsx(rows, after=f"<mergeCells>{merges}</mergeCells>")


def xlsx_hidden_columns(n: int) -> bytes:
    columns = "".join(f'<col min="{i + 500}" max="{i + 500}" hidden="1"/>' for i in range(n))
    rows = "".join(f"<row>{'<c><v>1</v></c>' * 10}</row>" for _ in range(n))
    return xlsx(rows, columns=f"<cols>{columns}</cols>")


def xlsx_strings(n: int) -> bytes:
    strings = "".join(f"<si><t>{w}</t></si>" for w in words(n))
    return xlsx("".join(f'<row><c t="s"><v>{i}</v></c></row>' for i in range(n)), strings)


def xlsx_one_string(n: int) -> bytes:
    """Return one long text in every cell."""
    text = " ".join(words(200))
    return xlsx('<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>' * n, f"<si><t>{text}</t></si>")


def ods_repeats(n: int) -> bytes:
    """Return one cell that is repeated across the sheet, in a row that is repeated."""
    cell = '<table:table-cell table:number-columns-repeated="16000"><text:p>x1</text:p></table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="{n}">{cell}</table:table-row>'
    return open_document("spreadsheet", f'<table:table table:name="S">{row}</table:table>')


def ods_repeated_rows(n: int) -> bytes:
    cell = "<table:table-cell><text:p>x1</text:p></table:table-cell>"
    row = f'<table:table-row table:number-rows-repeated="1000">{cell}</table:table-row>'
    return open_document("spreadsheet", f'<table:table table:name="S">{row * n}</table:table>')


def ods_repeated_text(n: int) -> bytes:
    text = " ".join(words(200))
    cell = f'<table:table-cell table:number-columns-repeated="10"><text:p>{text}</text:p></table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="{n}">{cell}</table:table-row>'
    return open_document("spreadsheet", f'<table:table table:name="S">{row}</table:table>')


def ods_hidden(n: int) -> bytes:
    columns = '<table:table-column table:visibility="collapse"/><table:table-column/>' * n
    cell = '<table:table-cell table:number-columns-repeated="300"><text:p>1</text:p></table:table-cell>'
    row = f"<table:table-row>{cell}</table:table-row>"
    return open_document("spreadsheet", f'<table:table table:name="S">{columns}{row * n}</table:table>')


def ods_rows(n: int) -> bytes:
    rows = "".join(
        f"<table:table-row><table:table-cell><text:p>{i}</text:p></table:table-cell>"
        f"<table:table-cell><text:p>{i * 7 % 1000}</text:p></table:table-cell></table:table-row>"
        for i in range(n)
    )
    return open_document("spreadsheet", f'<table:table table:name="S">{rows}</table:table>')


def odt_repeats(n: int) -> bytes:
    cell = (
        '<table:table-cell table:number-columns-repeated="50"><text:p>some text</text:p></table:table-cell>'
    )
    row = f'<table:table-row table:number-rows-repeated="{n}">{cell}</table:table-row>'
    return open_document("text", f"<table:table>{row}</table:table>")


def odt_deep_spans(n: int) -> bytes:
    return open_document(
        "text", ("<text:p>" + "<text:span>" * 200 + "a" + "</text:span>" * 200 + "</text:p>") * n
    )


def odt_nested_tables(n: int) -> bytes:
    inner = "<text:p>deep text</text:p>"
    for _ in range(40):
        inner = (
            "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>"
            f"<table:table-cell>{inner}</table:table-cell></table:table-row><table:table-row><table:table-cell>"
            "<text:p>b</text:p></table:table-cell></table:table-row></table:table>"
        )
    return open_document("text", inner * n)


def docx(body: str, header: str = "", notes: str = "") -> bytes:
    """Return a text from the XML of its body."""
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>' if header else "<w:sectPr/>"
    )
    space = f'xmlns:w="{_WORD}" xmlns:r="{_OFFICE}"'
    return zipped(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
            "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="m" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
            "word/document.xml": f"<w:document {space}><w:body>{body}{section}</w:body></w:document>",
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="h" Type="{_OFFICE}/header" Target="header1.xml"/><Relationship Id="n" Type="{_OFFICE}/footnotes" Target="footnotes.xml"/></Relationships>',
            "word/header1.xml": f"<w:hdr {space}>{header}</w:hdr>",
            "word/footnotes.xml": f"<w:footnotes {space}>{notes}</w:footnotes>",
        }
    )


def w_p(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def docx_header(n: int) -> bytes:
    """Return a long header on many pages."""
    return docx('<w:p><w:r><w:t>a</w:t><w:br w:type="page"/></w:r></w:p>' * n, "".join(map(w_p, lines(200))))


def docx_header_table(n: int) -> bytes:
    row = "<w:tr>" + f"<w:tc>{w_p('1')}</w:tc>" * n + "</w:tr>"
    return docx('<w:p><w:r><w:t>a</w:t><w:br w:type="page"/></w:r></w:p>' * 50, f"<w:tbl>{row * 3}</w:tbl>")


def docx_table(n: int) -> bytes:
    row = "<w:tr>" + f"<w:tc>{w_p('cell text')}</w:tc>" * 5 + "</w:tr>"
    return docx(f"<w:tbl>{row * n}</w:tbl>")


def docx_wide_table(n: int) -> bytes:
    row = "<w:tr>" + f"<w:tc>{w_p('1')}</w:tc>" * n + "</w:tr>"
    return docx(f"<w:tbl>{row * 200}</w:tbl>")


def docx_many_tables(n: int) -> bytes:
    row = f"<w:tr><w:tc>{w_p('Total')}</w:tc><w:tc>{w_p('12.50')}</w:tc></w:tr>"
    return docx(f"<w:tbl>{row * 2}</w:tbl><w:p/>" * n)


def docx_tables_in_a_cell(n: int) -> bytes:
    row = f"<w:tr><w:tc>{w_p('Total')}</w:tc><w:tc>{w_p('12.50')}</w:tc></w:tr>"
    inner = f"<w:tbl>{row * 2}</w:tbl><w:p/>" * n
    return docx(
        f"<w:tbl><w:tr><w:tc>{w_p('a')}</w:tc><w:tc>{inner}</w:tc></w:tr><w:tr><w:tc>{w_p('a')}</w:tc>"
        f"<w:tc>{w_p('a')}</w:tc></w:tr></w:tbl>"
    )


def docx_nested_tables(n: int) -> bytes:
    inner = w_p("deep text")
    for _ in range(40):
        inner = (
            f"<w:tbl><w:tr><w:tc>{w_p('a')}</w:tc><w:tc>{inner}</w:tc></w:tr><w:tr><w:tc>{w_p('b')}</w:tc>"
            "</w:tr></w:tbl>"
        )
    return docx(inner * n)


def docx_spans(n: int) -> bytes:
    row = f'<w:tr><w:tc><w:tcPr><w:gridSpan w:val="1000"/></w:tcPr>{w_p("a")}</w:tc></w:tr>'
    cell = f"<w:tc>{w_p('a')}</w:tc>"
    return docx(f"<w:tbl><w:tr>{cell * 1000}</w:tr>{row * n}</w:tbl>")


def docx_vertical_merge(n: int) -> bytes:
    first = f'<w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>{w_p("a")}</w:tc><w:tc>{w_p("b")}</w:tc></w:tr>'
    row = f"<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>{w_p('')}</w:tc><w:tc>{w_p('b')}</w:tc></w:tr>"
    return docx(f"<w:tbl>{first}{row * n}</w:tbl>")


def docx_notes(n: int) -> bytes:
    body = "".join(f'<w:p><w:r><w:t>a</w:t><w:footnoteReference w:id="{i}"/></w:r></w:p>' for i in range(n))
    return docx(body, notes="".join(f'<w:footnote w:id="{i}">{w_p("a note")}</w:footnote>' for i in range(n)))


def docx_text_boxes(n: int) -> bytes:
    box = f"<w:drawing><w:txbxContent>{w_p('boxed')}</w:txbxContent></w:drawing>"
    return docx("<w:p>" + f"<w:r>{box}</w:r>" * n + "</w:p>")


def pptx_shapes(n: int) -> bytes:
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    p = "http://schemas.openxmlformats.org/presentationml/2006/main"
    shape = (
        '<p:sp><p:nvSpPr><p:cNvPr id="1" name="s"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>'
        '<a:off x="{x}" y="{y}"/><a:ext cx="90000" cy="90000"/></a:xfrm></p:spPr>'
        "<p:txBody><a:p><a:r><a:t>some text here</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    shapes = "".join(shape.format(x=i * 7919 % 9_000_000, y=i * 104_729 % 6_000_000) for i in range(n))
    return zipped(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
            "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="m" Type="{_OFFICE}/officeDocument" Target="ppt/presentation.xml"/></Relationships>',
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{p}" xmlns:r="{_OFFICE}"><p:sldIdLst><p:sldId id="256" r:id="s"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>',
            "ppt/_rels/presentation.xml.rels": f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="s" Type="{_OFFICE}/slide" Target="slides/slide1.xml"/></Relationships>',
            "ppt/slides/slide1.xml": f'<p:sld xmlns:p="{p}" xmlns:a="{a}"><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>',
        }
    )


# --- markup -----------------------------------------------------------------------------------------------


def rtf_nested_tables(n: int) -> bytes:
    """Return tables twenty deep, each in a cell of the other."""
    levels = b"".join(b"\\intbl\\itap%d level %d\\nestcell\\nestrow " % (d, d) for d in range(20, 1, -1))
    return b"{\\rtf1\\ansi " + (levels + b"\\itap1 x\\cell y\\cell\\row\n") * n + b"}"


def rtf_nested_cells(n: int) -> bytes:
    """Return each row of the inner table opens tables of all depths."""
    levels = b"".join(b"\\itap%d a\\nestcell b\\nestcell\\nestrow " % d for d in (20, 10, 5, 2))
    return b"{\\rtf1\\ansi \\intbl " + levels * n + b"\\itap1 x\\cell y\\cell\\row x\\cell y\\cell\\row}"


def rtf_merged_rows(n: int) -> bytes:
    row = b"\\trowd\\cellx100\\clvmrg\\cellx200\\intbl a\\cell b\\cell\\row\n"
    return b"{\\rtf1\\ansi \\trowd\\cellx100\\intbl a\\cell\\row\n" + row * n + b"}"


def rtf_merged_alone(n: int) -> bytes:
    """Return cells that continue cells above which do not exist."""
    row = b"\\trowd" + b"\\cellx100" + b"\\clvmrg\\cellx200" * 3 + b"\\intbl a\\cell\\cell\\cell\\cell\\row\n"
    first = b"\\trowd\\cellx100\\intbl a\\cell\\row\n"
    return b"{\\rtf1\\ansi " + (first * 50 + row) * n + b"}"


def markdown_paragraphs(n: int) -> bytes:
    return ("# Title\n\n- item\n\n" + "\n\n".join(" ".join(words(40, seed)) for seed in range(n))).encode()


def html(body: str) -> bytes:
    return f"<!doctype html><html><body>{body}</body></html>".encode()


def html_table(n: int) -> bytes:
    return html(f"<table>{'<tr><td>one</td><td>2.50</td><td>three</td></tr>' * n}</table>")


def html_nested_tables(n: int) -> bytes:
    inner = "deep"
    for _ in range(40):
        inner = f"<table><tr><td>a</td><td>{inner}</td></tr><tr><td>b</td><td>c</td></tr></table>"
    return html(inner * n)


def html_tables_in_a_cell(n: int) -> bytes:
    inner = "<table><tr><td>Total</td><td>1.50</td></tr><tr><td>Net</td><td>1</td></tr></table>" * n
    return html(f"<table><tr><td>a</td><td>{inner}</td></tr><tr><td>b</td><td>c</td></tr></table>")


def html_single_cells(n: int) -> bytes:
    """Return tables of one cell inside each other, which only lay out the page."""
    inner = "<p>some text</p>" * 200
    for _ in range(60):
        inner = f"<table><tr><td>{inner}</td></tr></table>"
    return html(inner * n)


def html_styles(n: int) -> bytes:
    rules = "".join(f".c{i}{{display:block}}" for i in range(n))
    return html(f"<style>{rules}</style>" + "".join(f"<span class='c{i}'>a</span>" for i in range(n)))


def html_classes(n: int) -> bytes:
    classes = " ".join(f"c{i}" for i in range(1000))
    return html("<style>p{display:block}</style>" + f"<span class='{classes}'>a</span>" * n)


def xml_ragged(n: int) -> bytes:
    return (
        b"<list>" + b"".join(b"<item><n%d>one</n%d><b>2</b></item>" % (i, i) for i in range(n)) + b"</list>"
    )


def xml_mixed(n: int) -> bytes:
    return b"<list>" + (b"<p>text <b>bold</b> more</p>" * 10 + b"<q><p>a</p><p>b</p></q>") * n + b"</list>"


# --- mail -------------------------------------------------------------------------------------------------

_MAIL = b"From: Erika <erika@acme.example>\r\nTo: a@b.example\r\nSubject: Order\r\nDate: Thu, 14 Mar 2024 10:00:00 +0100\r\n"


def mail(body: bytes, headers: bytes = b"", kind: bytes = b"text/plain; charset=utf-8") -> bytes:
    return _MAIL + headers + b"MIME-Version: 1.0\r\nContent-Type: " + kind + b"\r\n\r\n" + body


def mail_headers(n: int) -> bytes:
    return mail(b"text", b"".join(b"X-Header-%d: value\r\nTo: a%d@b.example\r\n" % (i, i) for i in range(n)))


def mail_addresses(n: int) -> bytes:
    return mail(
        b"text", b"Cc: " + b", ".join(b'"Name %d" <a%d@b.example>' % (i, i) for i in range(n)) + b"\r\n"
    )


def mail_parameters(n: int) -> bytes:
    parameters = b"".join(b'; a%d="b%d"' % (i, i) for i in range(n))
    return mail(b"text", kind=b"text/plain" + parameters)


def mail_parts(n: int) -> bytes:
    part = b"--x\r\nContent-Type: text/plain\r\n\r\nsome text\r\n"
    return mail(part * n + b"--x--\r\n", kind=b'multipart/mixed; boundary="x"')


def mail_attachments(n: int) -> bytes:
    part = b"--x\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nsome text\r\n"
    return mail(part * n + b"--x--\r\n", kind=b'multipart/mixed; boundary="x"')


def mail_nested(n: int) -> bytes:
    head = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (i, i) for i in range(n)
    )
    return _MAIL + head + b"Content-Type: text/plain\r\n\r\ntext"


def mail_nested_mails(n: int) -> bytes:
    return (
        b"".join(b"Subject: s%d\r\nContent-Type: message/rfc822\r\n\r\n" % i for i in range(n)) + b"text" * n
    )


def mail_conversation(n: int) -> bytes:
    quote = "".join(
        f"{'> ' * (i % 40)}On 14 March 2024, Erika <e@a.example> wrote:\n{'> ' * (i % 40 + 1)}some answer\n"
        for i in range(n)
    )
    return mail(quote.encode())


def mail_separators(n: int) -> bytes:
    return mail(
        b"text\n-----Original Message-----\nFrom: a@b.example\nTo: b@c.example\nSubject: x\n\nbody\n" * n
    )


def mail_html_tables(n: int) -> bytes:
    inner = "<table><tr><td>Total</td><td>1.50</td></tr><tr><td>Net</td><td>1</td></tr></table>"
    return mail(html(inner * n), kind=b"text/html")


def mail_html_styles(n: int) -> bytes:
    return mail(
        html("<span style='display" + " " * n + "'>a</span>" + "<b style='font-size: 0000'>b</b>" * n),
        kind=b"text/html",
    )


# --- e-invoices -------------------------------------------------------------------------------------------


def ubl(n: int, taxes: int = 1, notes: int = 0, parties: int = 0) -> bytes:
    line = (
        "<InvoiceLine><ID>{i}</ID><InvoicedQuantity unitCode='C62'>2</InvoicedQuantity><LineExtensionAmount "
        "currencyID='EUR'>25.00</LineExtensionAmount><Item><Name>Steel bolt {i}</Name></Item><Price><PriceAmount>"
        "12.50</PriceAmount></Price></InvoiceLine>"
    )
    tax = "<TaxTotal><TaxAmount currencyID='USD'>4.75</TaxAmount><TaxSubtotal><TaxableAmount>25</TaxableAmount><TaxAmount>4.75</TaxAmount></TaxSubtotal></TaxTotal>"
    return (
        "<Invoice xmlns='urn:oasis:names:specification:ubl:schema:xsd:Invoice-2'><ID>A-1</ID><IssueDate>2024-03-14"
        f"</IssueDate>{'<Note>note</Note>' * notes}<DocumentCurrencyCode>EUR</DocumentCurrencyCode>"
        f"<AccountingSupplierParty><Party><PartyName><Name>Acme</Name></PartyName>{'<PartyTaxScheme><CompanyID>1</CompanyID></PartyTaxScheme>' * parties}</Party></AccountingSupplierParty>"
        f"{tax * taxes}<LegalMonetaryTotal><TaxInclusiveAmount currencyID='EUR'>29.75</TaxInclusiveAmount></LegalMonetaryTotal>"
        f"{''.join(line.format(i=i) for i in range(n))}</Invoice>"
    ).encode()


def cii_lines(n: int) -> bytes:
    line = (
        "<IncludedSupplyChainTradeLineItem><AssociatedDocumentLineDocument><LineID>1</LineID></AssociatedDocumentLineDocument>"
        "<SpecifiedTradeProduct><Name>Steel bolt</Name></SpecifiedTradeProduct><SpecifiedLineTradeAgreement><NetPriceProductTradePrice>"
        "<ChargeAmount>2.50</ChargeAmount></NetPriceProductTradePrice></SpecifiedLineTradeAgreement></IncludedSupplyChainTradeLineItem>"
    )
    return (
        "<CrossIndustryInvoice><ExchangedDocument><ID>A-1</ID></ExchangedDocument><SupplyChainTradeTransaction>"
        f"{line * n}</SupplyChainTradeTransaction></CrossIndustryInvoice>"
    ).encode()


# --- archives ---------------------------------------------------------------------------------------------


# --- PDF --------------------------------------------------------------------------------------------------


def _flowing(count: int) -> bytes:
    rows = []
    for i, line in enumerate(lines(count)):
        rows.append(f"1 0 0 1 40 {800 - i % 60 * 12} Tm ({line}) Tj".encode())
    return b"BT /F1 10 Tf " + b"\n".join(rows) + b" ET"


def pdf_pages(n: int) -> bytes:
    """Return pages of text, sixty lines each."""
    objects, kids = [], []
    for i in range(n):
        kids.append(b"%d 0 R" % (6 + 2 * i))
        page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R %s >>" % (
            7 + 2 * i,
            RESOURCES,
        )
        objects += [page, flate(_flowing(60))]
    pages = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), n)
    return raw(CATALOG, pages, b"null", b"null", FONT, *objects)


def shared_pages(
    pages: int, content: bytes, more: tuple[bytes, ...] = (), resources: bytes = RESOURCES
) -> bytes:
    """Return many pages that all show the same content."""
    tree = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b"3 0 R " * pages, pages)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R %s >>" % resources
    return raw(CATALOG, tree, page, flate(content), FONT, *more)


def pdf_words(n: int) -> bytes:
    """Return all words on one page, each at its own place."""
    chance = random.Random(3)
    some = words(n)
    rows = [
        b"1 0 0 1 %.2f %.2f Tm (%s) Tj" % (chance.random() * 560, chance.random() * 830, w.encode())
        for w in some
    ]
    return one_page(flate(b"BT /F1 1 Tf " + b"\n".join(rows) + b" ET"))


def pdf_one_baseline(n: int) -> bytes:
    chance = random.Random(3)
    rows = [
        b"1 0 0 1 %.3f %.3f Tm (%s) Tj" % (chance.random() * 560, 400 + chance.random(), w.encode())
        for w in words(n)
    ]
    return one_page(flate(b"BT /F1 1 Tf " + b"\n".join(rows) + b" ET"))


def pdf_same_word(n: int) -> bytes:
    chance = random.Random(3)
    rows = [b"1 0 0 1 %.2f %.2f Tm (1) Tj" % (chance.random() * 560, chance.random() * 830) for _ in range(n)]
    return one_page(flate(b"BT /F1 1 Tf " + b"\n".join(rows) + b" ET"))


def pdf_rules(n: int) -> bytes:
    chance = random.Random(4)
    strokes = []
    for i in range(n):
        x, y = chance.random() * 560, chance.random() * 800
        strokes.append(b"%.1f %.1f m %.1f %.1f l S" % ((x, y, x, y + 20) if i % 2 else (x, y, x + 20, y)))
    return one_page(flate(b"\n".join(strokes) + b"\n" + _flowing(300)))


def pdf_grid(n: int) -> bytes:
    """Return a ruled table of as many cells, with a number in each."""
    side = max(int(n**0.5), 2)
    step_x, step_y = 560 / side, 800 / side
    strokes = [b"%.2f 20 m %.2f 820 l S" % (20 + i * step_x, 20 + i * step_x) for i in range(side + 1)]
    strokes += [b"20 %.2f m 580 %.2f l S" % (20 + i * step_y, 20 + i * step_y) for i in range(side + 1)]
    texts = [
        b"1 0 0 1 %.2f %.2f Tm (%d) Tj" % (20.2 + x * step_x, 20.5 + y * step_y, (x * y) % 100)
        for x in range(side)
        for y in range(side)
    ]
    return one_page(flate(b"\n".join(strokes) + b" BT /F1 1 Tf " + b"\n".join(texts) + b" ET"))


def pdf_boxes(n: int) -> bytes:
    chance = random.Random(4)
    boxes = [b"%.1f %.1f 30 20 re S" % (chance.random() * 560, chance.random() * 800) for _ in range(n)]
    return one_page(flate(b"\n".join(boxes) + b"\n" + _flowing(300)))


def pdf_one_path(n: int) -> bytes:
    chance = random.Random(4)
    boxes = [b"%.1f %.1f 30 20 re" % (chance.random() * 560, chance.random() * 800) for _ in range(n)]
    return one_page(flate(b"\n".join(boxes) + b" S\n" + _flowing(300)))


def pdf_numbers(n: int) -> bytes:
    """Return pages full of numbers in columns."""
    rows = []
    for i in range(n):
        for x in (40, 160, 280, 400, 500):
            rows.append(b"1 0 0 1 %d %.2f Tm (%d.%02d) Tj" % (x, 820 - 800 * i / n, i * x % 1000, i % 100))
    return one_page(flate(b"BT /F1 1 Tf " + b"\n".join(rows) + b" ET"))


def pdf_form(n: int) -> bytes:
    """Return a page with as many text fields."""
    chance = random.Random(5)
    first = 7
    fields = [
        b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (field%d) /V (value %d) /Rect [%.1f %.1f %.1f %.1f] /P 3 0 R >>"
        % (i, i, (x := chance.random() * 500), (y := chance.random() * 800), x + 40, y + 9)
        for i in range(n)
    ]
    kids = b" ".join(b"%d 0 R" % (first + i) for i in range(n))
    catalog = (
        b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [%s] /DR << /Font << /Helv 5 0 R >> >> /DA (/Helv 9 Tf) >> >>"
        % kids
    )
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R %s /Annots [%s] >>" % (
        RESOURCES,
        kids,
    )
    return raw(
        catalog, b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, stream(b""), FONT, b"null", *fields
    )


def pdf_form_pages(n: int) -> bytes:
    """Return a page for every hundred fields."""
    pages, fields = max(n // 100, 1), []
    first = 6 + pages
    chance = random.Random(5)
    for i in range(n):
        x, y = chance.random() * 500, chance.random() * 800
        fields.append(
            b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (field%d) /V (value %d) /Rect [%.1f %.1f %.1f %.1f] >>"
            % (i, i, x, y, x + 40, y + 9)
        )
    kids = b" ".join(b"%d 0 R" % (first + i) for i in range(n))
    catalog = (
        b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [%s] /DR << /Font << /Helv 5 0 R >> >> /DA (/Helv 9 Tf) >> >>"
        % kids
    )
    sheets = [
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R %s /Annots [%s] >>"
        % (RESOURCES, b" ".join(b"%d 0 R" % (first + i) for i in range(p * 100, min(p * 100 + 100, n))))
        for p in range(pages)
    ]
    tree = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (
        b" ".join(b"%d 0 R" % (6 + p) for p in range(pages)),
        pages,
    )
    return raw(catalog, tree, b"null", stream(b""), FONT, *sheets, *fields)


def pdf_same_form(n: int) -> bytes:
    """Return pages that all have the same fields."""
    data = pdf_form(100)
    kids = b"[" + b"3 0 R " * n + b"]"
    return data.replace(b"/Kids [3 0 R] /Count 1", b"/Kids %s /Count %d" % (kids, n))


def pdf_forms_within_forms(n: int) -> bytes:
    """``n`` form objects that each draw the next one ten times, three levels deep."""
    levels = [
        stream(
            b"/X Do " * 10,
            b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X %d 0 R >> >>"
            % (number + 1),
        )
        for number in range(6, 9)
    ]
    last = stream(b"0 0 9 9 re f", b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]")
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /X 6 0 R >> /Font << /F1 5 0 R >> >> >>"
    return raw(
        CATALOG,
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        page,
        stream(b"/X Do " * n),
        FONT,
        *levels,
        last,
    )


def pdf_attachments(n: int) -> bytes:
    first = 6
    files = [
        stream(b"some text", b"/Type /EmbeddedFile")
        if i % 2 == 0
        else b"<< /Type /Filespec /F (a%d.txt) /UF (a%d.txt) /EF << /F %d 0 R >> >>" % (i, i, first + i - 1)
        for i in range(2 * n)
    ]
    names = b" ".join(b"(a%06d) %d 0 R" % (i, first + 2 * i + 1) for i in range(n))
    catalog = b"<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [%s] >> >> >>" % names
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R %s >>" % RESOURCES
    return raw(catalog, b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, stream(_flowing(3)), FONT, *files)


SCALED: Mapping[str, Scaled] = {
    "text, UTF-16": Scaled("a.txt", lambda n: "\n".join(lines(n)).encode("utf-16"), 25_000),
    "text, paragraphs": Scaled("a.txt", paragraphs, 9_000),
    "text, one line": Scaled("a.txt", lambda n: " ".join(words(n)).encode(), 700_000),
    "text, one wide line": Scaled("a.txt", lambda n: "   ".join(words(n)).encode(), 500_000),
    "text, one word": Scaled("a.txt", lambda n: b"a1B-" * n, 1_250_000),
    "text, labels": Scaled("a.txt", labels, 110_000),
    "text, label words": Scaled("a.txt", label_words, 90_000),
    "text, IBANs": Scaled("a.txt", ibans, 150_000),
    "text, amounts": Scaled("a.txt", amounts, 180_000),
    "text, dates": Scaled("a.txt", dates, 120_000),
    "text, addresses": Scaled("a.txt", addresses, 70_000),
    "text, form feeds": Scaled("a.txt", lambda n: b"x\f" * n, 2_500_000),
    "text, short lines": Scaled("a.txt", lambda n: b"a\n" * n, 2_500_000),
    "csv, rows": Scaled(
        "a.csv",
        lambda n: b"Position,Amount\n" + b"".join(b"%d,%d\n" % (i, i * 7 % 1000) for i in range(n)),
        500_000,
    ),
    "csv, tiny rows": Scaled("a.csv", lambda n: b"1,2\n" * n, 3_000_000),
    "csv, columns": Scaled("a.csv", csv_columns, 350_000),
    "csv, quoted": Scaled("a.csv", lambda n: b"a,b\n" + b'"x' + b'""y,\n' * n, 800_000),
    "csv, long cells": Scaled("a.csv", csv_long_cells, 500, smallest=2),
    "xlsx, rows": Scaled(
        "a.xlsx",
        lambda n: xlsx(
            "".join(f"<row><c><v>{i}</v></c><c><v>{i * 7 % 1000}.5</v></c></row>" for i in range(n))
        ),
        1_000_000,
    ),
    "xlsx, columns": Scaled("a.xlsx", xlsx_columns, 400_000),
    "xlsx, merges": Scaled("a.xlsx", xlsx_merges, 200_000),
    "xlsx, wide merges": Scaled("a.xlsx", xlsx_wide_merges, 20_000),
    "xlsx, hidden columns": Scaled("a.xlsx", xlsx_hidden_columns, 15_000),
    "xlsx, strings": Scaled("a.xlsx", xlsx_strings, 1_000_000),
    "xlsx, one string": Scaled("a.xlsx", xlsx_one_string, 400_000, smallest=2),
    "xlsx, sheets": Scaled(
        "a.xlsx", lambda n: xlsx("<row><c><v>1</v></c><c><v>2</v></c></row>" * 10, more=n), 20_000
    ),
    "ods, repeats": Scaled("a.ods", ods_repeats, 1_000_000),
    "ods, repeated rows": Scaled("a.ods", ods_repeated_rows, 2_000),
    "ods, repeated text": Scaled("a.ods", ods_repeated_text, 1_000_000),
    "ods, hidden columns": Scaled("a.ods", ods_hidden, 10_000),
    "ods, rows": Scaled("a.ods", ods_rows, 400_000),
    "odt, paragraphs": Scaled(
        "a.odt",
        lambda n: open_document("text", "".join(f"<text:p>{line}</text:p>" for line in lines(n, 40))),
        60_000,
    ),
    "odt, repeats": Scaled("a.odt", odt_repeats, 1_000_000),
    "odt, spaces": Scaled(
        "a.odt",
        lambda n: open_document("text", "<text:p>a" + '<text:s text:c="1000"/>b' * n + "</text:p>"),
        100_000,
    ),
    "odt, deep spans": Scaled("a.odt", odt_deep_spans, 3_000),
    "odt, nested tables": Scaled("a.odt", odt_nested_tables, 1_000),
    "docx, paragraphs": Scaled("a.docx", lambda n: docx("".join(map(w_p, lines(n, 40)))), 100_000),
    "docx, one paragraph": Scaled("a.docx", lambda n: docx(w_p(" ".join(words(n)))), 1_000_000),
    "docx, runs": Scaled(
        "a.docx", lambda n: docx("<w:p>" + "<w:r><w:t>a </w:t></w:r>" * n + "</w:p>"), 1_000_000
    ),
    "docx, page breaks": Scaled(
        "a.docx", lambda n: docx('<w:p><w:r><w:br w:type="page"/></w:r></w:p>' * n), 200_000
    ),
    "docx, breaks in a paragraph": Scaled(
        "a.docx",
        lambda n: docx("<w:p>" + '<w:r><w:t>a</w:t><w:br w:type="page"/></w:r>' * n + "</w:p>"),
        200_000,
    ),
    "docx, header": Scaled("a.docx", docx_header, 40_000),
    "docx, header table": Scaled("a.docx", docx_header_table, 5_000),
    "docx, table": Scaled("a.docx", docx_table, 100_000),
    "docx, wide table": Scaled("a.docx", docx_wide_table, 5_000),
    "docx, many tables": Scaled("a.docx", docx_many_tables, 50_000),
    "docx, tables in a cell": Scaled("a.docx", docx_tables_in_a_cell, 50_000),
    "docx, nested tables": Scaled("a.docx", docx_nested_tables, 2_000),
    "docx, spans": Scaled("a.docx", docx_spans, 480),
    "docx, vertical merge": Scaled("a.docx", docx_vertical_merge, 100_000),
    "docx, notes": Scaled("a.docx", docx_notes, 100_000),
    "docx, text boxes": Scaled("a.docx", docx_text_boxes, 100_000),
    "pptx, shapes": Scaled("a.pptx", pptx_shapes, 100_000),
    "rtf, paragraphs": Scaled(
        "a.rtf",
        lambda n: b"{\\rtf1\\ansi " + b"".join(line.encode() + b"\\par\n" for line in lines(n, 40)) + b"}",
        15_000,
    ),
    "rtf, nested tables": Scaled("a.rtf", rtf_nested_tables, 7_000),
    "rtf, nested cells": Scaled("a.rtf", rtf_nested_cells, 30_000),
    "rtf, merged rows": Scaled("a.rtf", rtf_merged_rows, 90_000),
    "rtf, merged alone": Scaled("a.rtf", rtf_merged_alone, 2_500),
    "rtf, groups": Scaled(
        "a.rtf", lambda n: b"{\\rtf1\\ansi " + b"{" * 900 + b"{\\b a}" * n + b"}" * 901, 800_000
    ),
    "rtf, fonts": Scaled(
        "a.rtf", lambda n: b"{\\rtf1\\ansi {\\fonttbl{\\f0 " + b"a\\'41" * n + b";}} text}", 1_000_000
    ),
    "rtf, list text": Scaled(
        "a.rtf", lambda n: b"{\\rtf1\\ansi {\\listtext " + b"a\\'41" * n + b"} text}", 1_000_000
    ),
    "rtf, tabs": Scaled("a.rtf", lambda n: b"{\\rtf1\\ansi " + b"\\tx100" * n + b" a\\tab b\\par}", 800_000),
    "rtf, cells": Scaled("a.rtf", lambda n: b"{\\rtf1\\ansi \\intbl " + b"a\\cell " * n + b"\\row}", 700_000),
    "rtf, hex": Scaled("a.rtf", lambda n: b"{\\rtf1\\ansi " + b"\\'e4\\'f6" * n + b"}", 600_000),
    "markdown, paragraphs": Scaled("a.md", markdown_paragraphs, 18_000),
    "markdown, blank lines": Scaled("a.md", lambda n: b"# Title\n\n- item\n" + b"\n" * n + b"end", 5_000_000),
    "markdown, table": Scaled(
        "a.md", lambda n: b"# T\n\n| a | b | c |\n|---|---|---|\n" + b"| one | 2.50 | three |\n" * n, 200_000
    ),
    "markdown, wide table": Scaled(
        "a.md", lambda n: b"# T\n\n" + b"|a" * n + b"|\n" + b"|---" * n + b"|\n" + b"|1" * n + b"|\n", 600_000
    ),
    "markdown, unclosed": Scaled(
        "a.md", lambda n: b"# T\n\n- a\n\n" + b"*a _b ~~c `d [e <f ![g " * n, 200_000
    ),
    "markdown, comments": Scaled("a.md", lambda n: b"# T\n\n- a\n\n" + b"<!-- " * n, 1_000_000),
    "markdown, list": Scaled("a.md", lambda n: b"# T\n\n" + b"- item of a list\n\n" * n, 270_000),
    "markdown, code": Scaled(
        "a.md", lambda n: b"# T\n\n- a\n\n```\n" + b"code line with words\n" * n, 240_000
    ),
    "html, paragraphs": Scaled(
        "a.html", lambda n: html("".join(f"<p>{line}</p>" for line in lines(n, 40))), 15_000
    ),
    "html, deep": Scaled("a.html", lambda n: html("<div>" * n + "text" + "</div>" * n), 450_000),
    "html, deep and wide": Scaled(
        "a.html", lambda n: html(("<div>" * 140 + "<p>some text</p>" * 100 + "</div>" * 140) * n), 1_500
    ),
    "html, deep inline": Scaled("a.html", lambda n: html("<b>" * n + "text " * n), 600_000),
    "html, table": Scaled("a.html", html_table, 100_000),
    "html, nested tables": Scaled("a.html", html_nested_tables, 1_500),
    "html, tables in a cell": Scaled("a.html", html_tables_in_a_cell, 55_000),
    "html, single cells": Scaled("a.html", html_single_cells, 800),
    "html, spans": Scaled(
        "a.html",
        lambda n: html(f"<table>{'<tr><td rowspan=1000 colspan=2>a</td></tr>' * n}</table>"),
        120_000,
    ),
    "html, styles": Scaled("a.html", html_styles, 100_000),
    "html, many styles": Scaled(
        "a.html", lambda n: html("<style>p{display:block}</style>" * n + "<p>a</p>"), 150_000
    ),
    "html, classes": Scaled("a.html", html_classes, 800),
    "html, options": Scaled(
        "a.html", lambda n: html(f"<select>{'<option>a</option>' * n}</select>"), 250_000
    ),
    "html, line breaks": Scaled("a.html", lambda n: html("some text<br>" * n), 380_000),
    "html, flex": Scaled(
        "a.html", lambda n: html('<div style="display:flex">' * min(n, 140) + "<span>a</span>" * n), 350_000
    ),
    "css, media": Scaled("a.html", lambda n: html("<style>" + "@media x{" * n + "</style>a"), 500_000),
    "css, open": Scaled("a.html", lambda n: html("<style>" + "/* a{" * n + "</style>a"), 900_000),
    "xml, records": Scaled(
        "a.xml",
        lambda n: b"<list>" + b"<item><name>one</name><price>2.50</price></item>" * n + b"</list>",
        100_000,
    ),
    "xml, deep": Scaled(
        "a.xml", lambda n: b"<list>" + (b"<a>" * 200 + b"x" + b"</a>" * 200) * n + b"</list>", 3_500
    ),
    "xml, ragged": Scaled("a.xml", xml_ragged, 120_000),
    "xml, mixed": Scaled("a.xml", xml_mixed, 14_000),
    "xml, attributes": Scaled(
        "a.xml", lambda n: b"<list>" + b'<item id="1" name="one" price="2.50"/>' * n + b"</list>", 120_000
    ),
    "mail, text": Scaled("a.eml", lambda n: mail("\n".join(lines(n)).encode()), 50_000),
    "mail, headers": Scaled("a.eml", mail_headers, 110_000),
    "mail, addresses": Scaled("a.eml", mail_addresses, 150_000),
    "mail, no address": Scaled(
        "a.eml", lambda n: mail(b"text", b"Cc: " + b"abcdefgh" * n + b"\r\n"), 600_000
    ),
    "mail, comments": Scaled("a.eml", lambda n: mail(b"text", b"Cc: " + b"(a \\(b" * n + b"\r\n"), 700_000),
    "mail, encoded words": Scaled(
        "a.eml", lambda n: mail(b"text", b"Subject: " + b"=?utf-8?q?abc?= " * n + b"\r\n"), 300_000
    ),
    "mail, open encoded words": Scaled(
        "a.eml", lambda n: mail(b"text", b"Cc: " + b"=?utf-8?q?" * n + b"\r\n"), 500_000
    ),
    "mail, parameters": Scaled("a.eml", mail_parameters, 250_000),
    "mail, quotes in parameters": Scaled(
        "a.eml", lambda n: mail(b"text", kind=b'text/plain; name="' + b'a;"' * n), 1_600_000
    ),
    "mail, parts": Scaled("a.eml", mail_parts, 100_000),
    "mail, attachments": Scaled("a.eml", mail_attachments, 50_000),
    # Python compares each line with every open boundary; its recursion limit bounds how many there are.
    "mail, nested": Scaled("a.eml", mail_nested, 80_000, smallest=100, calls=120),
    "mail, nested mails": Scaled("a.eml", mail_nested_mails, 80_000),
    "mail, conversation": Scaled("a.eml", mail_conversation, 30_000),
    "mail, separators": Scaled("a.eml", mail_separators, 60_000),
    "mail, dashes": Scaled(
        "a.eml",
        lambda n: mail(b"- -- _ -- = ** - -- _ -- = ** - -- _ -- = ** - -- _ -- = ** a:\n" * n),
        75_000,
    ),
    "mail, senders": Scaled("a.eml", lambda n: mail(b"From: a\n" * n), 550_000),
    "mail, HTML": Scaled(
        "a.eml",
        lambda n: mail(
            html("".join(f"<p>{line}</p>" for line in lines(n))), kind=b"text/html; charset=utf-8"
        ),
        50_000,
    ),
    "mail, HTML table": Scaled("a.eml", lambda n: mail(html_table(n), kind=b"text/html"), 100_000),
    "mail, HTML tables": Scaled("a.eml", mail_html_tables, 55_000),
    "mail, HTML nested": Scaled(
        "a.eml", lambda n: mail(html("<table><tr><td>a<td>" * n + "x"), kind=b"text/html"), 250_000
    ),
    "mail, HTML line": Scaled("a.eml", lambda n: mail(html("<b>word</b> " * n), kind=b"text/html"), 400_000),
    "mail, HTML styles": Scaled("a.eml", mail_html_styles, 100_000),
    "e-invoice, lines": Scaled("a.xml", lambda n: ubl(n), 20_000),
    "e-invoice, taxes": Scaled("a.xml", lambda n: ubl(1, taxes=n), 30_000),
    "e-invoice, notes": Scaled("a.xml", lambda n: ubl(1, notes=n), 250_000),
    "e-invoice, parties": Scaled("a.xml", lambda n: ubl(1, parties=n), 80_000),
    "e-invoice, ids": Scaled("a.xml", lambda n: b"<Invoice>" + b"<ID>1</ID>" * n + b"</Invoice>", 500_000),
    "e-invoice, CII lines": Scaled("a.xml", cii_lines, 12_000),
    "zip, text": Scaled(
        "a.zip", lambda n: zipped({"a.txt": b"some words on a line of text\n" * n}), 1_700_000
    ),
    "zip, members": Scaled(
        "a.zip",
        lambda n: zipped({f"{i}.txt": b"Invoice number: 12\nTotal: 12.50\n" for i in range(n)}),
        1_000,
    ),
    "zip, csv": Scaled("a.zip", lambda n: zipped({"a.csv": b"1,2,3\n" * n}), 8_000_000),
    "pdf, pages": Scaled("a.pdf", pdf_pages, 2_000),
    "pdf, same page": Scaled("a.pdf", lambda n: shared_pages(n, _flowing(60)), 2_000),
    "pdf, tiny pages": Scaled(
        "a.pdf", lambda n: shared_pages(n, b"BT /F1 9 Tf 40 800 Td (Total 12.50) Tj ET"), 2_000
    ),
    "pdf, words": Scaled("a.pdf", pdf_words, 200_000),
    "pdf, one baseline": Scaled("a.pdf", pdf_one_baseline, 200_000),
    "pdf, same word": Scaled("a.pdf", pdf_same_word, 200_000),
    "pdf, one word": Scaled(
        "a.pdf", lambda n: one_page(flate(b"BT /F1 1 Tf 40 400 Td (" + b"abcdefgh" * n + b") Tj ET")), 125_000
    ),
    "pdf, rules": Scaled("a.pdf", pdf_rules, 100_000),
    "pdf, grid": Scaled("a.pdf", pdf_grid, 40_000),
    "pdf, boxes": Scaled("a.pdf", pdf_boxes, 100_000),
    "pdf, one path": Scaled("a.pdf", pdf_one_path, 100_000),
    "pdf, numbers": Scaled("a.pdf", pdf_numbers, 30_000),
    "pdf, form": Scaled("a.pdf", pdf_form, 50_000),
    "pdf, form pages": Scaled("a.pdf", pdf_form_pages, 50_000),
    "pdf, same form": Scaled("a.pdf", pdf_same_form, 2_000),
    "pdf, forms within forms": Scaled("a.pdf", pdf_forms_within_forms, 1_000_000),
    "pdf, attachments": Scaled("a.pdf", pdf_attachments, 20_000),
}

LARGEST = (
    "text, UTF-16",
    "text, paragraphs",
    "text, one wide line",
    "text, label words",
    "text, IBANs",
    "csv, tiny rows",
    "xlsx, rows",
    "rtf, nested tables",
    "ods, repeated text",
    "zip, text",
    "pdf, words",
)
"""Kinds that are measured at larger sizes than others."""
