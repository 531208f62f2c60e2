"""Documents of more words than are read, and words longer than any."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docduck.documents.document import Box, Document, Word
from docduck.documents.geometry.lines import build_lines
from docduck.documents.geometry.long_words import MAX_WORD
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from tests.documents.formats.files import lines_page, pdf
from tests.documents.formats.office.files import zipped
from tests.service.sources.mails import mail

_TEXT = b"one two\nthree\x0cfour five\nsix\x0cseven"
FILES: dict[str, Callable[[], bytes]] = {
    "pdf": lambda: pdf(
        *(lines_page(lines) for lines in (("one two", "three"), ("four five", "six"), ("seven",)))
    ),
    "txt": lambda: _TEXT,
    "html": lambda: b"<html><body><p>one two three</p><p>four five</p><p>six seven</p></body></html>",
    "eml": lambda: mail(body="one two three four five six seven"),
    "zip": lambda: zipped({"a.txt": b"one two three", "b.txt": b"four five six", "c.txt": b"seven"}),
}


def words(document: Document) -> list[str]:
    return [word.text for page in document.pages for line in page.lines for word in line.words]


@pytest.mark.parametrize("kind", FILES)
def test_the_first_words_are_read_and_a_warning_tells_of_the_rest(kind: str) -> None:
    data = FILES[kind]()
    whole = read(data, f"a.{kind}", ReadOptions(ocr="none"))
    count = len(words(whole))
    most = count - 2
    cut = read(data, f"a.{kind}", ReadOptions(ocr="none", max_words=most))
    assert words(cut) == words(whole)[:most]
    assert any("words" in warning for warning in cut.warnings)
    assert cut.page_count == whole.page_count
    exact = read(data, f"a.{kind}", ReadOptions(ocr="none", max_words=count))
    assert words(exact) == words(whole)
    assert not exact.warnings


def test_pages_after_the_last_word_are_left_out() -> None:
    document = read(_TEXT, "a.txt", ReadOptions(max_words=3))
    assert [page.number for page in document.pages] == [1]
    assert document.warnings == ["Only the first 3 words were read; page 2 and later were left out"]


def test_a_cut_line_ends_at_its_last_word() -> None:
    (page,) = read(b"one two three", "a.txt", ReadOptions(max_words=2)).pages
    (line,) = page.lines
    assert line.text == "one two"
    assert line.box.right == line.words[-1].box.right
    assert line.box.left == line.words[0].box.left


def test_a_word_longer_than_any_is_divided() -> None:
    text = "".join(chr(ord("a") + at % 26) for at in range(2 * MAX_WORD + 7))
    (line,) = build_lines([Word(text, Box(0.1, 0.1, 0.8, 0.012))], 595, 842)
    assert "".join(word.text for word in line.words) == text
    assert [len(word.text) for word in line.words] == [MAX_WORD, MAX_WORD, 7]
    assert line.words[-1].box.right == pytest.approx(0.9)


def test_a_word_of_usual_length_is_left_alone() -> None:
    word = Word("x" * MAX_WORD, Box(0.1, 0.1, 0.8, 0.012))
    (line,) = build_lines([word], 595, 842)
    assert line.words == (word,)
