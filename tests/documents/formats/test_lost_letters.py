"""Letters without a meaning in their font are read in the picture of the page."""

from __future__ import annotations

import pytest

from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from tests.documents.formats.rawpdf import CATALOG, RESOURCES, raw, stream


def printed(*texts: bytes, fi: bytes = b"FFFD", fl: bytes = b"0000", size: int = 12) -> bytes:
    """A PDF whose font prints ligatures for the codes 1 and 2, and says that they mean these characters."""
    map_ = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
2 beginbfchar <01> <%s> <02> <%s> endbfchar
1 beginbfrange <20> <7E> <0020> endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end""" % (fi, fl)
    shown = b" ".join(
        b"BT /F1 %d Tf 72 %d Td (%s) Tj ET" % (size, 700 - 30 * at, text) for at, text in enumerate(texts)
    )
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R %s >>" % RESOURCES
    font = b"""<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R
/Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [1 /fi /fl] >> >>"""
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return raw(CATALOG, pages, page, stream(shown), font, stream(map_))


@pytest.mark.parametrize("lost", [b"0000", b"FFFD", b"F001"])
def test_ligatures_without_a_meaning_are_read_by_ocr(lost: bytes) -> None:
    document = read(
        printed(b"A bene\\001t of \\002our", b"\\001ve pro\\001les in Gra\\002", fi=lost, fl=lost)
    )
    assert document.text.splitlines() == ["A benefit of flour", "five profiles in Grafl"]
    assert document.warnings == []


def test_words_that_are_written_upwards_are_read_as_well() -> None:
    upward = printed(b"Con\\001rmed").replace(b"72 700 Td", b"0 1 -1 0 100 400 Tm")
    document = read(upward)
    assert (document.text, document.warnings) == ("Confirmed", [])


def test_without_ocr_there_is_a_warning() -> None:
    document = read(printed(b"A bene\\001t"), options=ReadOptions(ocr="none"))
    assert document.text == "A bene\ufffdt"
    assert document.warnings == ["Letters of page 1 have no meaning in its fonts; they are missing"]
    assert read(printed(b"A benefit"), options=ReadOptions(ocr="none")).warnings == []


def test_fonts_that_say_what_their_ligatures_mean_are_believed() -> None:
    document = read(printed(b"A bene\\001t", fi=b"00660069"), options=ReadOptions(ocr="none"))
    assert (document.text, document.warnings) == ("A benefit", [])


def test_a_page_with_very_many_is_read_as_a_whole() -> None:
    texts = [b"re\\001ll " * 12] * 22
    document = read(printed(*texts))
    assert document.text.split()[:3] == ["refill"] * 3
