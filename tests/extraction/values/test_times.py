from __future__ import annotations

import pytest

from docduck.extraction.values.times import find_times


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("Wed 12 Mar 2025 at 08.15", ["08.15"]),
        ("le 19/11/2024 à 07h45", ["07h45"]),
        ("17.02–19.00", ["17.02", "19.00"]),
        ("8:51 PM", ["8:51 PM"]),
        ("12.03.2025", []),
        ("1 230.50", []),
    ],
)
def test_times_as_printed(text: str, times: list[str]) -> None:
    assert [text[start:end] for start, end in find_times(text)] == times
