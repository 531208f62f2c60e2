from __future__ import annotations

import pytest

from docduck.documents.detection.sniff import content_type
from docduck.documents.reader import draw, read
from tests.documents.formats.einvoice import samples


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (samples.cii(), "application/xml"),
        (samples.EBINTERFACE, "application/xml"),
        (samples.ubl().decode().replace("UTF-8", "UTF-16").encode("utf-16"), "application/xml"),
        (samples.signed(samples.FATTURAPA), "application/pkcs7-mime"),
        (samples.signed(samples.FATTURAPA, chunked=True), "application/pkcs7-mime"),
        (b"a < b and xmlns", "text/plain"),
    ],
)
def test_types(data: bytes, kind: str) -> None:
    assert content_type(data, "file.txt") == kind


def test_an_invoice_is_shown_as_text() -> None:
    document = read(samples.cii(), "x.xml")
    text = document.text
    assert "Invoice number: R-7" in text
    assert "Name: Möbel Nord GmbH" in text
    assert "Amount due: 200.00" in text
    assert "First note" in text
    assert document.page_count == 2
    [grid, *_] = [grid for page in document.pages for grid in page.grids]
    assert [cell.text for cell in grid.rows[0]][:3] == ["Position", "Article number", "Description"]
    assert [cell.text for cell in grid.rows[2]][:3] == ["2", "A-2", "Hour"]
    assert grid.rows[0][0].header
    assert draw(samples.cii(), "", 1, 400).width == 400


def test_the_file_itself_is_the_attachment() -> None:
    document = read(samples.signed(samples.FATTURAPA), "f.xml.p7m")
    assert [a.data for a in document.attachments] == [samples.FATTURAPA]
    assert "Invoice number: 123/A" in document.text


def test_other_xml_is_shown() -> None:
    document = read(b"<?xml version='1.0'?><letter><to>Ada Byron</to></letter>", "x.xml")
    assert "Ada Byron" in document.text
    assert document.attachments == []


def test_broken_xml_is_shown_with_a_warning() -> None:
    document = read(b"<?xml version='1.0'?><letter><to>Ada Byron</to>", "x.xml")
    assert "Ada Byron" in document.text
    assert "no well-formed XML" in document.warnings[0]
