"""Tiling patterns that would be drawn for hours are not drawn; others are."""

from __future__ import annotations

import pytest

from docduck.documents.formats.pdf.patterns import without_endless_patterns
from docduck.documents.formats.pdf.reader import PdfReader
from docduck.documents.read_options import ReadOptions
from tests.documents.formats.rawpdf import CATALOG, FONT, raw, stream

_PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
_PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
    b"/Resources << /Pattern << /P 6 0 R >> /Font << /F1 5 0 R >> >> >>"
)
_FILL = b"/Pattern cs /P scn 0 0 1000 1000 re f"
_SELF = b"/Resources << /Pattern << /P 6 0 R >> >>"
_TYPE = b"/PatternType 1"


def pattern(
    step: bytes,
    box: bytes = b"0 0 10 10",
    content: bytes = b"0 0 5 5 re f",
    more: bytes = b"",
    kind: bytes = _TYPE,
) -> bytes:
    """Return a page that is filled with one pattern."""
    entries = b"%s /PaintType 1 /TilingType 1 /BBox [%s] /XStep %s /YStep %s %s" % (
        kind,
        box,
        step,
        step,
        more,
    )
    return raw(CATALOG, _PAGES, _PAGE, stream(_FILL), FONT, stream(content, entries))


def dark(data: bytes) -> int:
    """Return the number of black pixels of the page."""
    return sum(PdfReader().render(data, 1, 200, ReadOptions()).convert("L").histogram()[:128])


@pytest.mark.parametrize(
    "data",
    [
        pattern(b"0.0001"),
        pattern(b"-0.0001"),
        pattern(b".1", more=b"/XStep 100 /YStep 100"),
        pattern(b"0.0001", kind=b"/Pattern#54ype 1"),
        pattern(b"0.0001", kind=b"/PatternType 1.0"),
        pattern(b"10", more=b"/Matrix [0.0001 0 0 0.0001 0 0]"),
        pattern(b"9 0 R"),
        pattern(b"9 %\n 0 R"),
        pattern(b"1", b"0 0 1000 1000"),
        pattern(b"500", b"0 0 1000 1000", _FILL, _SELF),
        pattern(b"300", b"0 0 1000 1000", _FILL, b"/Resources 7 0 R"),
    ],
    ids=[
        "tiny steps",
        "tiny steps back",
        "two steps",
        "escaped name",
        "number with a point",
        "tiny matrix",
        "step elsewhere",
        "step behind a comment",
        "overlapping",
        "within itself",
        "resources elsewhere",
    ],
)
def test_a_pattern_that_never_ends_is_not_drawn(data: bytes) -> None:
    changed = without_endless_patterns(data)
    assert changed != data
    assert len(changed) == len(data)
    assert dark(data) == 0


@pytest.mark.parametrize(
    "data",
    [
        pattern(b"10"),
        pattern(b"-8.5", b"0 0 10 10"),
        pattern(b"2", b"0 0 1.5 1.5", b"0 0 1 1 re f"),
        pattern(b"10", more=b"/Matrix [0.75 0 0 -0.75 0 842]"),
        pattern(b"100", b"0 0 100 100", more=b"/Resources << /XObject << /X 9 0 R >> >>"),
    ],
)
def test_other_patterns_are_drawn(data: bytes) -> None:
    assert without_endless_patterns(data) is data
    assert dark(data) > 0


def test_a_pattern_that_is_not_drawn_leaves_the_text() -> None:
    page = b"/Pattern cs /P scn 0 0 595 842 re f BT /F1 12 Tf 72 700 Td 0 g (Hello world) Tj ET"
    data = raw(
        CATALOG,
        _PAGES,
        _PAGE,
        stream(page),
        FONT,
        stream(
            b"0 0 1 1 re f",
            b"/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep .001 /YStep .001",
        ),
    )
    assert dark(data) > 0
