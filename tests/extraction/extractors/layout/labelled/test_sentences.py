"""Values in sentences."""

from __future__ import annotations

import time

import pytest

from docduck.extraction.extractors.layout.labelled.sentences import value_spans


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("call x12 34 now", ["x12 34"]),
        ("no.7/8 • and 9", ["no.7/8 •", "9"]),
        ("a\n12\t34  5", ["12", "34", "5"]),
    ],
)
def test_numbers_are_whole_words(text: str, values: list[str]) -> None:
    assert [text[start:end] for start, end, _ in value_spans(text)] == values


@pytest.mark.slow
def test_an_endless_word_without_a_number_takes_no_long_time() -> None:
    begin = time.thread_time()
    assert list(value_spans("x" * 60_000)) == []
    assert time.thread_time() - begin < 10
