from __future__ import annotations

import io
import zipfile

import docx
import pytest

from docduck.documents.document import Document
from docduck.documents.page_markdown import markdown
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import page_count, read
from docduck.documents.render import render_page
from docduck.errors import DamagedFile, DocumentError, EncryptedFile, NoPagesMatch
from tests.documents.formats.office.files import invoice_docx, replaced, saved, zipped

BODY = "word/document.xml"


def with_xml(old: str, new: str) -> Document:
    """Return a text of one paragraph, whose XML is put in place of it."""
    document = docx.Document()
    document.add_paragraph("HERE")
    data = replaced(saved(document), BODY, lambda xml: xml.replace(old.encode(), new.encode()))
    return read(data)


def run(text: str) -> str:
    return f"</w:t></w:r>{text}<w:r><w:t>"


def test_body_header_footer_and_list_in_reading_order() -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "The header"
    document.sections[0].footer.paragraphs[0].text = "The footer"
    document.add_heading("Title", 2)
    document.add_paragraph("one", style="List Number")
    document.add_paragraph("two", style="List Number")
    document.add_paragraph("dot", style="List Bullet")
    page = read(saved(document), "wrong.pdf").pages[0]
    assert [line.text for line in page.lines] == [
        "The header", "Title", "1. one", "2. two", "• dot", "The footer",
    ]  # fmt: skip
    assert [line.heading for line in page.lines] == [0, 2, 0, 0, 0, 0]
    assert [line.item for line in page.lines] == [0, 0, 1, 1, 1, 0]
    assert all(a.box.bottom <= b.box.top + 1e-6 for a, b in zip(page.lines, page.lines[1:], strict=False))


def test_merged_and_nested_tables() -> None:
    document = docx.Document()
    table = document.add_table(3, 3)
    for r in range(3):
        for c in range(3):
            table.cell(r, c).text = f"{r}{c}"
    table.cell(0, 1).text = ""
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(2, 2).text = ""
    table.cell(1, 2).merge(table.cell(2, 2))
    grid = read(saved(document)).pages[0].grids[0]
    texts = [[(cell.text, cell.merged) for cell in row] for row in grid.rows]
    assert texts == [
        [("00", False), ("00", True), ("02", False)],
        [("10", False), ("11", False), ("12", False)],
        [("20", False), ("21", False), ("12", True)],
    ]
    assert grid.rows[1][2].box == grid.rows[2][2].box
    outer = docx.Document()
    layout = outer.add_table(1, 2)
    layout.cell(0, 0).text = "left"
    inner = layout.cell(0, 1).add_table(2, 2)
    inner.cell(1, 1).text = "inmost"
    (found,) = read(saved(outer)).pages[0].grids
    assert found.rows[1][1].text == "inmost"


def test_tracked_changes_fields_and_hidden_text() -> None:
    document = with_xml(
        "HERE",
        "kept"
        + run("<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>")
        + run("<w:ins><w:r><w:t> inserted</w:t></w:r></w:ins>")
        + run("<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>")
        + run(
            '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>DATE</w:instrText></w:r>'
            '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t> shown</w:t></w:r>'
            '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        ),
    )
    assert document.text == "kept inserted shown"


def test_text_boxes_stand_after_their_paragraph_and_once() -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent>"
    spaces = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:v"'
    document = with_xml(
        "HERE",
        "anchor"
        + run(
            f"<w:r><mc:AlternateContent {spaces}><mc:Choice Requires='wps'><w:drawing>{box}</w:drawing>"
            f"</mc:Choice><mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback>"
            "</mc:AlternateContent></w:r>"
        ),
    )
    assert document.text.split("\n") == ["anchor", "boxed"]


def test_page_breaks_and_page_selection() -> None:
    document = docx.Document()
    for text in ("first", "second", "third"):
        document.add_paragraph(text)
        if text != "third":
            document.add_page_break()
    data = saved(document)
    assert [page.text for page in read(data).pages] == ["first", "second", "third"]
    chosen = read(data, options=ReadOptions(pages="last"))
    assert [page.number for page in chosen.pages] == [3]
    with pytest.raises(NoPagesMatch):
        read(data, options=ReadOptions(pages="7"))
    assert render_page(data, 3, width=300).width == 300


def test_pages_end_where_they_did_when_last_laid_out() -> None:
    text = "long " * 3000
    document = with_xml("HERE", text + run("<w:r><w:lastRenderedPageBreak/></w:r>") + "tail")
    assert document.page_count == 2
    assert document.pages[1].text == "tail"
    plain = docx.Document()
    plain.add_paragraph(text)
    assert read(saved(plain)).page_count == 3


def test_footnotes_end_the_page_that_refers_to_them() -> None:
    document = docx.Document()
    document.add_paragraph("HERE")
    document.add_paragraph("after")
    data = replaced(
        saved(document),
        BODY,
        lambda xml: xml.replace(b"HERE</w:t>", b'text</w:t><w:footnoteReference w:id="2"/>'),
    )
    notes = (
        '<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        '<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:t>no</w:t></w:r></w:p></w:footnote>'
        '<w:footnote w:id="2"><w:p><w:r><w:t>a note</w:t></w:r></w:p></w:footnote></w:footnotes>'
    )
    relation = (
        b'<Relationship Id="n1" Target="footnotes.xml" Type="http://schemas.openxmlformats.org/'
        b'officeDocument/2006/relationships/footnotes"/></Relationships>'
    )
    rels = "word/_rels/document.xml.rels"
    data = replaced(data, rels, lambda xml: xml.replace(b"</Relationships>", relation))
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    assert read(zipped({**parts, "word/footnotes.xml": notes})).text.split("\n") == [
        "text [1]", "after", "[1] a note",
    ]  # fmt: skip


def test_markdown_has_headings_lists_and_tables() -> None:
    text = markdown(read(invoice_docx()))
    assert text.startswith("# Invoice\n")
    assert "| Pos | Description | Qty | Price | Amount |\n| --- |" in text
    assert "| 1 | Steel bolt M8 | 10 | 2.50 | 25.00 |" in text


def test_a_long_table_goes_on_over_pages() -> None:
    document = docx.Document()
    table = document.add_table(120, 2)
    for number, row in enumerate(table.rows):
        row.cells[0].text = str(number)
        row.cells[1].text = "text"
    pages = read(saved(document)).pages
    assert [page.grids[0].continued for page in pages] == [False, True, True]
    numbers = [row[0].text for page in pages for row in page.grids[0].rows]
    assert numbers == [str(number) for number in range(120)]


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_cut_file_is_damaged(share: float) -> None:
    data = invoice_docx()
    with pytest.raises(DocumentError):
        read(data[: int(len(data) * share)], "a.docx")


def test_an_encrypted_file_needs_a_password() -> None:
    name = "EncryptedPackage".encode("utf-16-le")
    entry = name + bytes(64 - len(name)) + (len(name) + 2).to_bytes(2, "little") + bytes(62)
    data = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504) + entry
    for title in ("a.docx", "a.xlsx", "a.pptx", ""):
        with pytest.raises(EncryptedFile):
            read(data, title)


def test_entities_and_nesting_are_refused() -> None:
    data = invoice_docx()
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    body = replaced(data, BODY, lambda xml: xml.replace(b"?>", b"?>" + bomb, 1).replace(b"Invoice<", b"&b;<"))
    assert "aaaa" not in read(body).text
    deep = replaced(data, BODY, lambda xml: xml.replace(b"<w:p>", b"<w:sdt>" * 5000 + b"<w:p>", 1))
    with pytest.raises(DamagedFile):
        read(deep)


def test_what_unpacks_to_too_much_is_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    data = replaced(invoice_docx(), BODY, lambda xml: xml + b" " * 3_000_000)
    monkeypatch.setattr("docduck.documents.formats.office.package.MAX_TOTAL", 2_000_000)
    assert len(data) < 100_000
    with pytest.raises(DamagedFile):
        read(data)


def test_counting_pages_agrees_with_reading() -> None:
    data = invoice_docx()
    assert page_count(data) == read(data).page_count == 1
