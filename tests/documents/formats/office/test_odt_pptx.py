from __future__ import annotations

import re
from typing import Any

import pptx
import pytest
from pptx.util import Inches

from docduck.documents.formats.office import slides
from docduck.documents.formats.office.package import Package
from docduck.documents.reader import read
from docduck.errors import DamagedFile, EncryptedFile
from tests.documents.formats.office.files import (
    invoice_odt,
    invoice_pptx,
    odf_table,
    open_document,
    replaced,
    saved,
)


def test_texts_of_open_document() -> None:
    shared = (
        '<office:master-styles><style:master-page style:name="Standard"><style:header><text:p>head</text:p>'
        "</style:header><style:footer><text:p>foot</text:p></style:footer></style:master-page>"
        "</office:master-styles>"
    )
    styles = (
        '<style:style style:name="B" style:family="paragraph"><style:paragraph-properties '
        'fo:break-before="page"/></style:style><text:list-style style:name="L">'
        '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
        "</text:list-style>"
    )
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes>"
        '<text:h text:outline-level="2">Title</text:h>'
        "<text:p>a<text:s text:c='2'/>b<text:tab/>c<text:line-break/>d"
        "<office:annotation><text:p>comment</text:p></office:annotation>"
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>a note</text:p>"
        "</text:note-body></text:note></text:p>"
        '<text:list text:style-name="L"><text:list-item><text:p>one</text:p></text:list-item>'
        "<text:list-item><text:p>two</text:p></text:list-item></text:list>"
        "<text:p><draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame></text:p>"
        '<text:p text:style-name="B">next page</text:p>' + odf_table(("x", "y"), ("1", "2"))
    )
    first, second = read(open_document("text", body, styles, shared)).pages
    assert [line.text for line in first.lines] == [
        "head", "Title", "a b", "c", "d [1]", "1. one", "2. two", "boxed", "[1] a note", "foot",
    ]  # fmt: skip
    assert first.lines[1].heading == 2
    assert [line.text for line in second.lines] == ["head", "next page", "x", "y", "1", "2", "foot"]
    assert [[cell.text for cell in row] for row in second.grids[0].rows] == [["x", "y"], ["1", "2"]]


def test_slides_with_notes_groups_and_tables() -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Title"
    slide.placeholders[1].text = "One\nTwo"
    slide.notes_slide.notes_text_frame.text = "Spoken"
    group = slide.shapes.add_group_shape()
    box = group.shapes.add_textbox(Inches(6), Inches(5), Inches(2), Inches(1))
    box.text_frame.text = "grouped"
    hidden = deck.slides.add_slide(deck.slide_layouts[1])
    hidden.shapes.title.text = "not shown"
    hidden._element.set("show", "0")
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "Last"
    first, last = read(saved(deck)).pages
    assert [line.text for line in first.lines] == ["Title", "• One", "• Two", "grouped", "Spoken"]
    assert first.lines[0].heading == 1
    assert first.lines[3].box.left == pytest.approx(6 / 10, abs=0.02)
    assert last.text == "Last"
    (grid,) = read(invoice_pptx()).pages[0].grids
    assert [cell.header for cell in grid.rows[0]] == [True] * 5
    assert grid.rows[2][1].text == "Copper wire"


def test_damage_and_passwords() -> None:
    for data in (invoice_odt(), invoice_pptx()):
        with pytest.raises(DamagedFile):
            read(data[: len(data) // 2], "a.odt")
    manifest = b'<m xmlns:x="urn:x"><x:encryption-data/></m>'
    with pytest.raises(EncryptedFile):
        read(replaced(invoice_odt(), "META-INF/manifest.xml", lambda _: manifest))


def test_slides_that_are_not_shown_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    parts: list[str] = []
    tree = Package.tree

    def noted(package: Package, name: str) -> Any:
        parts.append(name)
        return tree(package, name)

    monkeypatch.setattr(slides, "MAX_SLIDES", 3)
    monkeypatch.setattr(Package, "tree", noted)
    often = replaced(
        invoice_pptx(),
        "ppt/presentation.xml",
        lambda xml: re.sub(rb"<p:sldId [^>]*/>", lambda entry: 50 * entry[0], xml),
    )
    assert len(read(often).pages) == 3
    assert parts.count("ppt/slides/slide1.xml") == 3


@pytest.mark.slow
@pytest.mark.parametrize(("across", "down"), [(1000, 1), (1, 1000), (100, 100)])
def test_repeated_cells_within_one_another_are_bounded(across: int, down: int) -> None:
    inner = "<text:p>x</text:p>"
    for _ in range(4):
        cell = f'<table:table-cell table:number-columns-repeated="{across}">{inner}</table:table-cell>'
        row = f'<table:table-row table:number-rows-repeated="{down}">{cell}</table:table-row>'
        inner = f"<table:table>{row}</table:table>"
    with pytest.raises(DamagedFile):
        read(open_document("text", inner))


@pytest.mark.slow
def test_repeated_cells_are_bounded() -> None:
    cell = '<table:table-cell table:number-columns-repeated="999999999"><text:p>x</text:p></table:table-cell>'
    rows = f'<table:table-row table:number-rows-repeated="999999999">{cell}</table:table-row>' * 20
    with pytest.raises(DamagedFile):
        read(open_document("text", f"<table:table>{rows}</table:table>"))
