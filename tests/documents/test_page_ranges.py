from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docduck.documents.page_ranges import parse_item, parse_pages
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.errors import InputError
from tests.documents.formats.files import encoded, lines_page, pdf, picture


@pytest.mark.parametrize(
    ("expression", "pages"),
    [
        (None, [1, 2, 3, 4, 5, 6, 7]),
        ("", [1, 2, 3, 4, 5, 6, 7]),
        ("  ", [1, 2, 3, 4, 5, 6, 7]),
        ("3", [3]),
        ("2-4", [2, 3, 4]),
        (" 2 - 4 , 1 ", [1, 2, 3, 4]),
        ("5-", [5, 6, 7]),
        ("5-last", [5, 6, 7]),
        ("last", [7]),
        ("last-2", [5]),
        ("last-9", []),
        ("odd", [1, 3, 5, 7]),
        ("even", [2, 4, 6]),
        ("2n+1", [1, 3, 5, 7]),
        ("3n", [3, 6]),
        ("n", [1, 2, 3, 4, 5, 6, 7]),
        ("n+5", [5, 6, 7]),
        ("3n-1", [2, 5]),
        ("3n+4", [4, 7]),
        ("6-99", [6, 7]),
        ("40", []),
        ("7,1,1-2", [1, 2, 7]),
    ],
)
def test_selects(expression: str | None, pages: list[int]) -> None:
    assert parse_pages(expression).select(7) == pages


@pytest.mark.parametrize(
    "expression",
    [
        "0",
        "0-3",
        "4-2",
        "a",
        "1,,2",
        "1,",
        "-3",
        "0n",
        "n+",
        "1--2",
        "last+1",
        "n2",
        "٣",
        "1-３",
        "last-२",
        "٢n+1",
        "LAST",
        "EVEN",
        "2N",
    ],
)
def test_bad_syntax_names_the_place(expression: str) -> None:
    with pytest.raises(InputError) as error:
        parse_pages(expression)
    assert error.value.path == "parsePages"


def test_the_message_quotes_the_item() -> None:
    with pytest.raises(InputError, match="'x-2'"):
        parse_pages("1,x-2,3")


def test_an_item_has_no_commas() -> None:
    assert parse_item("4-").select(5) == [4, 5]
    with pytest.raises(InputError):
        parse_item("1,2")


@given(st.integers(0, 9), st.integers(-30, 30), st.integers(0, 60))
def test_progressions_follow_their_definition(every: int, offset: int, count: int) -> None:
    expression = f"{every}n{offset:+d}"
    if every == 0:
        with pytest.raises(InputError):
            parse_pages(expression)
        return
    expected = sorted({every * n + offset for n in range(100) if 1 <= every * n + offset <= count})
    assert parse_pages(expression).select(count) == expected


def _text_pages(count: int) -> bytes:
    return "\f".join(f"page {number}" for number in range(1, count + 1)).encode()


def _tiff_pages(count: int) -> bytes:
    frames = [picture((), (60, 40 + number)) for number in range(count)]
    return encoded(frames[0], "TIFF", save_all=True, append_images=frames[1:])


def _pdf_pages(count: int) -> bytes:
    return pdf(*(lines_page((f"page {number}",)) for number in range(1, count + 1)))


@pytest.mark.parametrize("make", [_text_pages, _tiff_pages, _pdf_pages])
@pytest.mark.parametrize(
    ("expression", "numbers"),
    [("2", [2]), ("2-4", [2, 3, 4]), ("5-", [5, 6]), ("last", [6]), ("last-1,1", [1, 5]),
     ("4-last", [4, 5, 6]), ("odd", [1, 3, 5]), ("3n", [3, 6]), ("2n+2", [2, 4, 6]), ("1, 9", [1]),
     ("", [1, 2, 3, 4, 5, 6])],
)  # fmt: skip
def test_every_format_follows_the_grammar(
    make: Callable[[int], bytes], expression: str, numbers: list[int]
) -> None:
    document = read(make(6), options=ReadOptions(ocr="none", pages=expression))
    assert [page.number for page in document.pages] == numbers
    assert document.page_count == 6
