"""Which end of a period the name of a field asks for."""

from __future__ import annotations

import pytest

from docduck.extraction.fields.field_query import query_of
from docduck.extraction.fields.period_ends import end_of_period
from docduck.fields import Field, FieldType


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("dönem sonu", "end"),
        ("Sfârșit perioadă", "end"),
        ("Period start", "start"),
        ("Period", None),
        ("Invoice date", None),
    ],
)
def test_words_for_the_ends_of_a_period(name: str, end: str | None) -> None:
    assert end_of_period(query_of(Field(name=name, type=FieldType.DATE))) == end
