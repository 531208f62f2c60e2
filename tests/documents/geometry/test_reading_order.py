"""The order of lines on pages set in columns."""

from __future__ import annotations

from reportlab.pdfgen.canvas import Canvas

from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from tests.documents.formats.files import pdf

PROSE = (
    "The parties agree that every notice under",
    "this agreement is to be given in writing to",
    "the address stated above, and that it counts",
    "as received on the third working day after it",
    "was posted, unless the receiver can show that",
    "it came later or did not come at all, in which",
    "case the notice has to be given once again",
)


def texts(*blocks: tuple[float, float, tuple[str, ...]]) -> list[str]:
    """Return the lines of a page as they are read; a block is left, top in points, and its lines."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for left, top, lines in blocks:
            for row, line in enumerate(lines):
                canvas.drawString(left, 842 - top - 12 * row, line)

    return [line.text for line in read(pdf(draw), options=ReadOptions(ocr="none")).pages[0].lines]


def numbered(name: str) -> tuple[str, ...]:
    return tuple(f"{name}{row} {line}" for row, line in enumerate(PROSE))


def test_two_columns_under_a_heading_and_over_a_footer() -> None:
    heading, footer = (
        ("General terms of business",),
        ("Page 1 of 2, printed for both of the parties and over both columns",),
    )
    left, right = numbered("a"), numbered("b")
    got = texts((72, 60, heading), (72, 90, left), (320, 94, right), (72, 700, footer))
    assert got == [*heading, *left, *right, *footer]


def test_three_columns() -> None:
    blocks = [tuple(line[:26].strip() for line in numbered(name)) for name in "abc"]
    got = texts(*((40 + 180 * at, 90, block) for at, block in enumerate(blocks)))
    assert got == [line for block in blocks for line in block]


def test_columns_parted_by_a_line_across_are_read_in_turn() -> None:
    blocks = [numbered(name) for name in "abcd"]
    across = (
        "A heading in the midst of the page that runs over both of the columns, as headings sometimes do",
    )
    got = texts(
        (72, 60, blocks[0]),
        (320, 60, blocks[1]),
        (72, 300, across),
        (72, 400, blocks[2]),
        (320, 400, blocks[3]),
    )
    assert got == [*blocks[0], *blocks[1], *across, *blocks[2], *blocks[3]]


def test_a_table_stays_in_rows() -> None:
    amounts = tuple(f"{row} pieces at 12.00 each" for row in range(len(PROSE)))
    got = texts((72, 90, PROSE), (400, 90, amounts))
    assert got == [text for row in zip(PROSE, amounts, strict=True) for text in row]


def test_addresses_side_by_side_stay_in_rows() -> None:
    one = ("Acme Trading Limited", "12 Harbour Road", "Bristol", "BS1 4XY", "United Kingdom")
    other = ("Northern Star GmbH and Company", "Lange Gasse 7", "Hamburg", "20095", "Germany")
    got = texts((72, 90, one), (320, 90, other))
    assert got == [text for row in zip(one, other, strict=True) for text in row]
