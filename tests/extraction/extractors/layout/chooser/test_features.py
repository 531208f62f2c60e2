"""When two values are the same."""

from __future__ import annotations

import pytest

from docduck.extraction.extractors.layout.chooser.features import identity_of


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ("Marktplatz 2, 21335 Lüneburg", "marktplatz 2  21335 Lüneburg"),
        ("--, Ann Lee,", "Ann – Lee"),
        ("", " "),
    ],
)
def test_marks_between_words_make_no_other_value(value: str, other: str) -> None:
    assert identity_of(value) == identity_of(other)


@pytest.mark.parametrize(("value", "other"), [("12,50", "1250"), ("-5", "5"), (True, 1)])
def test_other_values_are_told_apart(value: object, other: object) -> None:
    assert identity_of(value) != identity_of(other)
