from __future__ import annotations

import random
import textwrap
from itertools import pairwise

import pytest

from docduck.documents.detection.encoding import decode_text
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.errors import NoPagesMatch, TooManyPages


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "utf-32"]
)
def test_encodings(encoding: str) -> None:
    text = "Größe: 12,50 € für Björn\nNächste Zeile"
    assert decode_text(text.encode(encoding)) == text


def test_bytes_without_meaning_are_replaced() -> None:
    assert decode_text(b"caf\xe9 \x81") == "café \ufffd"


def test_wide_characters_take_two_columns() -> None:
    document = read("品名      金額\nケーブル  1,500\nBox       9,600\n".encode(), "a.txt")
    first = [line.words[0].box.left for line in document.pages[0].lines]
    assert first[1] == pytest.approx(first[3]) == pytest.approx(first[5]) == pytest.approx(10 / 80)


def test_lines_and_columns() -> None:
    document = read(b"Total            12.00\r\nTax\t3.00\n", "a.txt")
    assert document.content_type == "text/plain"
    assert [line.text for line in document.pages[0].lines] == ["Total", "12.00", "Tax", "3.00"]
    total, amount, tax, _ = document.pages[0].words
    assert amount.box.left > total.box.right
    assert tax.box.top > total.box.bottom
    assert total.box.left == tax.box.left == 0.0


def test_a_form_feed_ends_a_page() -> None:
    document = read(b"one\x0ctwo\x0c")
    assert [page.text for page in document.pages] == ["one", "two"]
    assert document.page_count == 2


def test_long_text_fills_several_pages() -> None:
    document = read("\n".join(f"row {n}" for n in range(150)).encode())
    assert [len(page.lines) for page in document.pages] == [66, 66, 18]
    assert document.pages[2].lines[-1].text == "row 149"


def test_boxes_stay_on_the_page_however_long_the_line() -> None:
    for line in (b"x " * 5000 + b"end", b"x    " * 5000 + b"end"):
        words = [word for page in read(line).pages for word in page.words]
        assert all(w.box.left >= 0 and w.box.right <= 1 and w.box.width > 0 for w in words)
        assert len(words) == 5001


def test_chosen_pages_only() -> None:
    document = read(b"a\x0cb\x0cc", options=ReadOptions(pages="2-"))
    assert [(page.number, page.text) for page in document.pages] == [(2, "b"), (3, "c")]
    with pytest.raises(NoPagesMatch):
        read(b"a\x0cb", options=ReadOptions(pages="9"))


def test_very_many_pages_are_counted_and_not_read() -> None:
    with pytest.raises(TooManyPages, match="Document has 200000 pages; at most 2000 can be read"):
        read(b"\x0c" * 199_999 + b"end")
    document = read(b"\x0c" * 199_999 + b"end", options=ReadOptions(pages="last"))
    assert [(page.number, page.text) for page in document.pages] == [(200_000, "end")]


def test_long_lines_of_running_text_are_wrapped() -> None:
    page = read(("word " * 400).encode(), "a.txt").pages[0]
    assert len(page.lines) > 15
    assert len(page.words) == 400
    assert all(a.box.right <= b.box.left for line in page.lines for a, b in pairwise(line.words))


def test_a_long_line_is_wrapped_as_textwrap_would() -> None:
    dice = random.Random(7)
    for _ in range(200):
        words = ["x" * dice.choice((1, 2, 7, 30, 108, 109, 110)) for _ in range(60)]
        line = " ".join(words)
        document = read(line.encode(), "a.txt")
        shown = [line.text for page in document.pages for line in page.lines]
        assert shown == textwrap.wrap(line, 110, break_on_hyphens=False)


def test_a_word_of_megabytes_is_read_in_time_linear_in_its_length() -> None:
    document = read(b"start " + b"0" * 5_000_000 + b" end", "a.txt", ReadOptions(pages="1,last"))
    assert document.page_count == 5_000_000 // 110 // 66 + 1
    first, last = document.pages
    assert [line.text for line in first.lines[:2]] == ["start", "0" * 110]
    assert last.lines[-1].text == "0" * (5_000_000 % 110) + " end"


def test_a_row_of_thousands_of_columns_goes_on_below() -> None:
    page = read(b"cell    " * 1000, "a.txt").pages[0]
    rows = {word.box.top for word in page.words}
    assert (len(page.words), len(rows)) == (1000, 8)
