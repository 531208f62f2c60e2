"""Durations, in words and digits."""

from __future__ import annotations

import pytest

from docduck.extraction.extractors.prose.values.durations import find_durations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for two (2) years", "2 years"),
        ("a period of eighteen months", "18 months"),
        ("within 90 days", "90 days"),
        ("one-year", "1 year"),
        ("twenty-four (24) months", "24 months"),
        ("three full calendar years", None),
        ("on the second anniversary of the date", "2 years"),
        ("mit einer Frist von drei Monaten", "3 months"),
        ("für zwei Jahre", "2 years"),
        ("une durée de cinq ans", "5 years"),
        ("por un plazo de seis meses", "6 months"),
        ("durata di quattro anni", "4 years"),
        ("voor twaalf maanden", "12 months"),
        ("dois anos", "2 years"),
        ("the annual plan of 2020", None),
        ("someone years ago", None),
    ],
)
def test_duration(text: str, expected: str | None) -> None:
    found = find_durations(text)
    assert (found[0].text if found else None) == expected
