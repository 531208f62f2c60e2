from __future__ import annotations

import contextlib

import pytest

from docduck.documents.document import Document
from docduck.documents.page_markdown import markdown
from docduck.documents.reader import read
from docduck.errors import DamagedFile, DocumentError


def texts(document: Document) -> list[str]:
    return [line.text for page in document.pages for line in page.lines]


def cells(document: Document, index: int = 0) -> list[list[str]]:
    return [[cell.text for cell in row] for row in document.pages[0].grids[index].rows]


def html(body: str, head: str = "") -> Document:
    return read(f"<html><head>{head}</head><body>{body}</body></html>".encode())


def test_visible_html_only() -> None:
    document = html(
        "<h2>Invoice</h2><p>A <b>bold</b> &amp; more<br>line</p><script>no()</script><style>p{}</style>"
        '<div style="display:none">no</div><p hidden>no</p><div class="gone">no</div><!-- no -->'
        '<input type="hidden" value="no"><input value="typed"><input type="checkbox" checked>'
        "<noscript>no</noscript><ul><li>one<ol><li>inner</ol><li>two</ul><pre>a   b</pre>",
        "<title>no</title><style>.gone{display:none} @media print{p{display:none}}</style>",
    )
    assert document.content_type == "text/html"
    assert texts(document) == [
        "Invoice", "A bold & more", "line", "typed ☒", "• one", "1. inner", "• two", "a", "b",
    ]  # fmt: skip
    assert [line.item for line in document.pages[0].lines][4:7] == [1, 2, 1]


def test_html_tables_spans_and_layout() -> None:
    document = html(
        "<table><tr><td>Left side<td><table><thead><tr><th>Pos<th>Text<th>Sum</thead>"
        "<tr><td rowspan=2>1<td>a<br>b<td>2.00<tr><td colspan=900>3.00</table></table>"
    )
    (grid,) = document.pages[0].grids
    assert cells(document) == [["Pos", "Text", "Sum"], ["1", "a\nb", "2.00"], ["1", "3.00", "3.00"]]
    assert [cell.merged for cell in grid.rows[2]] == [True, False, True]
    assert grid.rows[0][0].header and not grid.rows[1][0].header
    for row in grid.rows:
        for cell in row:
            assert cell.box.left >= 0 and cell.box.right <= 1 and cell.box.bottom <= 1


def test_flexible_rows_stand_side_by_side() -> None:
    document = html('<div style="display:flex"><span>Invoice No</span><span>4711</span></div>')
    label, value = document.pages[0].lines
    assert (label.text, value.text) == ("Invoice No", "4711")
    assert label.box.top == value.box.top and label.box.right < value.box.left


@pytest.mark.parametrize("codec", ["utf-8", "iso-8859-2", "cp1252", "utf-16", "shift_jis"])
def test_html_in_its_own_encoding(codec: str) -> None:
    word = {"iso-8859-2": "Żółć", "shift_jis": "請求書"}.get(codec, "Größe")
    data = f'<html><head><meta charset="{codec}"></head><body><p>{word}</p></body></html>'.encode(codec)
    assert texts(read(data)) == [word]


def test_deep_html_is_read_without_harm() -> None:
    assert read(b"<html><body>" + b"<div>" * 30_000 + b"deep").text == "deep"
    assert "deep" in read(b"<html><body>" + b"<table><tr><td>x<td>" * 200 + b"deep").text


def test_markdown_text() -> None:
    source = (
        "# Title\n\nSome **bold** text, snake_case_name, 2*3*4 and [a link](http://x.y)\n\n"
        "Street 1\nTown 2\n\n- a\n  - b\n1. c\n\n| A | B |\n|---|---|\n| 1 | x\\|y |\n\n```\ncode\n```\n"
    )
    document = read(source.encode(), "a.txt")
    assert document.content_type == "text/markdown"
    assert texts(document) == [
        "Title", "Some bold text, snake_case_name, 2*3*4 and a link", "Street 1", "Town 2",
        "• a", "• b", "1. c", "A", "B", "1", "x|y", "code",
    ]  # fmt: skip
    assert cells(document) == [["A", "B"], ["1", "x|y"]]
    again = markdown(document)
    assert again.startswith("# Title\n\nSome bold") and "| 1 | x\\|y |" in again and "  - b" in again


def test_markdown_quotes_breaks_and_html_tables() -> None:
    source = (
        "# T\n\n> quoted **text**\n> - item\n\nNo      Name\n 1      Ada\n\n"
        "<table><tr><td>a</td>\n\n<td>b</td></tr><tr><td>c<td>d</table>\n\n"
        "x<br>y &amp; `z*` <!-- no --> ![alt](p.png)\n\n---\n\f2"
    )
    document = read(source.encode(), "a.md")
    assert texts(document) == [
        "T", "quoted text", "• item", "No", "Name", "1", "Ada", "a", "b", "c", "d", "x", "y & z* alt", "2",
    ]  # fmt: skip
    assert cells(document) == [["a", "b"], ["c", "d"]]


def test_long_markdown_lines_are_wrapped_on_the_page() -> None:
    page = read(("word " * 1000).encode(), "a.md").pages[0]
    assert len(page.lines) > 20
    assert all(line.box.right <= 1 for line in page.lines)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("codec", ["utf-8-sig", "cp1252", "utf-16"])
def test_delimited_text(delimiter: str, codec: str) -> None:
    rows = [["Pos", "Größe", "Sum"], ["1", f'"a{delimiter}b\nc"', "3.50"], ["2", "x", "4.00"]]
    data = "\r\n".join(delimiter.join(row) for row in rows).encode(codec)
    document = read(data, "a.csv")
    assert cells(document) == [
        ["Pos", "Größe", "Sum"],
        ["1", f"a{delimiter}b\nc", "3.50"],
        ["2", "x", "4.00"],
    ]
    assert document.pages[0].grids[0].rows[0][0].header


def test_rtf() -> None:
    source = rb"""{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset238 Arial CE;}}
{\stylesheet{\s1\outlinelevel0 heading 1;}}{\header \pard Kopf\par}{\footer Fu\'df\par}
\pard\s1 Rechnung\par\pard M\'fcller \u8364?5 {\f1 \'9a}{\v secret}{\deleted gone}{\*\unknown xx}\par
{\listtext\'95\tab}Punkt\par
\trowd\trhdr\cellx1000\cellx2000\pard\intbl A\cell B\cell\row
\trowd\clvmgf\cellx1000\cellx2000\pard\intbl 1\cell 2\par 2b\cell\row
\trowd\clvmrg\cellx1000\cellx2000\pard\intbl \cell 3\cell\row
\pard Nach\tab 5{\footnote \pard Note}{\field{\*\fldinst PAGE}{\fldrslt  7}}\par\page {\pict 00ff}Zwei\par}"""
    document = read(source, "a.doc")
    first, second = document.pages
    assert [line.text for line in first.lines] == [
        "Kopf", "Rechnung", "Müller €5 š", "• Punkt", "A", "B", "1", "2", "2b", "3", "Nach", "5 [1] 7",
        "[1] Note", "Fuß",
    ]  # fmt: skip
    assert first.lines[1].heading == 1
    assert cells(document) == [["A", "B"], ["1", "2\n2b"], ["1", "3"]]
    assert [line.text for line in second.lines] == ["Kopf", "Zwei", "Fuß"]
    with pytest.raises(DamagedFile):
        read(b"{\\rtf1 " + b"{" * 5000)


def test_any_xml_as_labels_and_tables() -> None:
    document = read(
        b"<order id='77'><invoiceNumber>4711</invoiceNumber><issue_date>2024-01-01</issue_date><lines>"
        b"<line sku='a'><Qty>2</Qty><Price>3.50</Price></line><line sku='b'><Qty>1</Qty></line></lines>"
        b"<note>Hi <b>you</b></note></order>"
    )
    assert document.content_type == "application/xml"
    assert texts(document)[:4] == ["Order", "Id: 77", "Invoice Number: 4711", "Issue Date: 2024-01-01"]
    assert cells(document) == [["Sku", "Qty", "Price"], ["a", "2", "3.50"], ["b", "1", ""]]
    assert texts(document)[-1] == "Hi you"


def test_xml_bombs_end_well() -> None:
    entities = "".join(f'<!ENTITY e{i + 1} "{f"&e{i};" * 10}">' for i in range(12))
    bomb = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "ha">{entities}]><x a="1">&e12;</x>'
    for data in (bomb.encode(), b"<?xml version='1.0'?>" + b"<a>" * 5000 + b"</a>" * 5000):
        with contextlib.suppress(DocumentError):
            assert len(read(data).text) < 100_000


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"<!DOCTYPE html><p>x", "a.xml", "text/html"),
        (b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body/></html>", "", "text/html"),
        (b"<doc><b>1</b></doc>\n", "a.html", "application/xml"),
        (b"{\\rtf1 x}", "a.txt", "application/rtf"),
        (b"Dear Sir, we thank you, and remain\nyours, as ever, truly\n", "a.txt", "text/plain"),
        (b"a;b;c\n1;2;3\n4;5;6\n", "", "text/csv"),
        (b"a\tb\tc\n1\t2\t3\n4\t5\t6\n", "", "text/tab-separated-values"),
        (b"# Title\n\n- item\n", "", "text/markdown"),
        (b"x < y and y > z\n", "a.html", "text/plain"),
    ],
)
def test_kinds_of_text_by_content(data: bytes, name: str, kind: str) -> None:
    assert read(data, name).content_type == kind
