"""Running text: order, hyphens, running headers, markup, locations."""

from __future__ import annotations

from docduck.documents.reader import read as read_file
from docduck.extraction.extractors.prose.text.cleaning import without_markdown
from docduck.extraction.extractors.prose.text.prose import Prose
from tests.extraction.extractors.prose.prose_documents import FILLER, written


def test_lines_and_paragraphs() -> None:
    prose = Prose(written("|First line of text\n|goes on here.\n\n|Second paragraph\n|of it."))
    assert prose.text == "First line of text\ngoes on here.\n\nSecond paragraph\nof it."
    assert prose.flat == "First line of text goes on here.  Second paragraph of it."


def test_hyphenated_word_is_joined() -> None:
    prose = Prose(written("|The confiden-\n|tial parts of it stay so."))
    assert prose.text == "The confidential parts of it stay so."


def test_hyphen_before_capital_is_kept() -> None:
    prose = Prose(written("|The Anglo-\n|American treaty."))
    assert "Anglo-\nAmerican" in prose.text


def test_running_headers_and_page_numbers_are_removed() -> None:
    pages = [
        f"|Acme v. Globex\n|Page {n} of 4\n\n{word} things are told here.\n\n{FILLER}"
        for n, word in enumerate(("First", "Second", "Third", "Fourth"), 1)
    ]
    prose = Prose(written(*pages))
    assert prose.text.count("Acme v. Globex") == 1
    assert "Page 3 of 4" not in prose.text
    assert "Third things are told" in prose.text


def test_line_repeated_on_two_of_many_pages_is_kept() -> None:
    pages = [f"|{'Notice' if n < 2 else f'Part {chr(65 + n)}'}\n\nWords of page {n}." for n in range(6)]
    assert Prose(written(*pages)).text.count("Notice") == 2


def test_sentences_do_not_end_at_abbreviations() -> None:
    prose = Prose(written("It was sold to Acme Inc. Boston on May 2. No. 5 is J. Smith's. The end came."))
    parts = [prose.text[a:b].strip() for a, b in prose.sentences]
    assert parts[0] == "It was sold to Acme Inc. Boston on May 2."
    assert parts[-1] == "The end came."


def test_markdown_is_removed() -> None:
    assert without_markdown("**Court:**") == "Court:"
    assert without_markdown("_Smith_") == "Smith"
    assert without_markdown("|") == ""
    assert without_markdown("snake_case") == "snake_case"
    assert without_markdown("*") == ""


def test_markdown_table_cells_are_separate_lines() -> None:
    source = (
        "Some words before the table.\n\n| Delaware | 001-555 |\n|---|---|\n| (State) | (File Number) |\n"
    )
    prose = Prose(read_file(source.encode(), "cover.md"))
    assert "Delaware\n" in prose.text
    assert "\n001-555\n" in prose.text


def test_locations_are_per_line() -> None:
    prose = Prose(written("|They met in Salt Lake\n|City that year."))
    start = prose.flat.index("Salt")
    places = prose.locations(start, start + len("Salt Lake City"))
    assert [place.text for place in places] == ["Salt Lake", "City"]
    assert places[0].page == 1
    assert places[1].box.top > places[0].box.top


def test_share_of_running_text() -> None:
    assert Prose(written(FILLER)).share > 0.8
    assert Prose(written("|Item  Qty  Price\n|Bolt  4  2.00\n|Nut  9  1.00")).share == 0
