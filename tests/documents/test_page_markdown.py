"""Markdown of pages without headings, paragraphs and tables of their format."""

from __future__ import annotations

import time

from reportlab.pdfgen.canvas import Canvas

from docduck.documents.page_markdown import markdown
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.extraction.options import ExtractOptions
from docduck.extraction.run_extractors import extract_document
from tests.documents.formats.files import pdf

Text = tuple[float, float, float, str]
"""Left, top in points, size, text."""

PROSE = (
    "The parties agree that every notice under this agreement is to be given in writ-",
    "ing to the address stated above, and that it counts as received on the third work",
    "day after it was posted. A notice of termination is valid *only* by letter.",
)


def written(*texts: Text) -> str:
    def draw(canvas: Canvas) -> None:
        for left, top, size, text in texts:
            canvas.setFont("Helvetica", size)
            canvas.drawString(left, 842 - top, text)

    return markdown(read(pdf(draw), options=ReadOptions(ocr="none")))


def prose(top: float) -> list[Text]:
    return [(72, top + 13 * row, 10, line) for row, line in enumerate(PROSE)]


JOINED = (
    "The parties agree that every notice under this agreement is to be given in writing to the address "
    "stated above, and that it counts as received on the third work day after it was posted. A notice of "
    "termination is valid \\*only\\* by letter."
)


def test_paragraphs_are_joined_and_words_made_whole() -> None:
    assert written(*prose(100), *prose(180)) == f"{JOINED}\n\n{JOINED}\n"


def test_larger_lines_are_headings() -> None:
    text = written((72, 60, 20, "Service agreement"), (72, 90, 14, "1 Notices"), *prose(110), *prose(200))
    assert text.startswith(f"# Service agreement\n\n## 1 Notices\n\n{JOINED}")


def test_a_large_amount_is_no_heading() -> None:
    assert "#" not in written(*prose(100), (72, 200, 20, "1,416.00 EUR"))


def test_bullets_are_list_items() -> None:
    items = ((72, 200, 10, "• first of the items"), (72, 214, 10, "• second of the items"))
    assert "\n- first of the items\n- second of the items\n" in written(*prose(100), *items)


TABLE = (
    (72.0, 200.0, 10.0, "Item"), (250.0, 200.0, 10.0, "Qty"), (350.0, 200.0, 10.0, "Price"),
    (72.0, 215.0, 10.0, "Steel bolts of"), (255.0, 215.0, 10.0, "10"), (350.0, 215.0, 10.0, "2.50"),
    (72.0, 227.0, 10.0, "eight millimetres"),
    (72.0, 245.0, 10.0, "Nuts | washers"), (255.0, 245.0, 10.0, "4"), (350.0, 245.0, 10.0, "1.20"),
)  # fmt: skip


def test_aligned_pieces_are_a_table() -> None:
    assert written(*prose(100), *TABLE, (72, 300, 10, "Thank you")) == (
        f"{JOINED}\n\n| Item | Qty | Price |\n| --- | --- | --- |\n"
        "| Steel bolts of eight millimetres | 10 | 2.50 |\n| Nuts \\| washers | 4 | 1.20 |\n\nThank you\n"
    )


def test_labels_and_values_are_no_table() -> None:
    pairs = [
        (left, 100 + 14 * row, 10.0, text)
        for row in range(6)
        for left, text in ((72.0, f"Label {row}"), (300.0, f"value {row}"))
    ]
    text = written(*pairs)
    assert "|" not in text
    assert "Label 3  value 3" in text


def test_what_markdown_would_take_for_marks_is_escaped() -> None:
    text = written((72, 100, 10, "# 12 <b>bold</b> a_b _c_ `d`"), (72, 140, 10, "> quoted"))
    assert text == "\\# 12 \\<b>bold\\</b> a_b \\_c\\_ \\`d\\`\n\n\\> quoted\n"


def test_a_full_page_takes_little_time() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 8)
        for row in range(70):
            for column in range(8):
                canvas.drawString(40 + 65 * column, 810 - 11 * row, f"{row},{column}0 EUR")

    document = read(pdf(draw), options=ReadOptions(ocr="none"))
    begin = time.process_time()
    for _ in range(10):
        text = markdown(document)
    assert (time.process_time() - begin) / 10 < 0.05
    assert text.count("\n| ") == 70


def test_markdown_is_built_only_where_it_is_asked_for() -> None:
    document = read(b"Hello")
    assert extract_document(document, []).markdown == "Hello\n"
    assert extract_document(document, [], ExtractOptions(markdown=False)).markdown == ""
