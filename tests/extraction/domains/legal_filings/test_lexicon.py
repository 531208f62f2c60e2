"""Meaning of fields in court documents and filings."""

from __future__ import annotations

import pytest

from docduck.extraction.domains.legal_filings.lexicon import concept_of
from docduck.extraction.fields.field_query import query_of
from docduck.fields import Field, FieldType


@pytest.mark.parametrize(
    ("name", "type_", "description", "concept"),
    [
        ("docket_no", "text", "", "case_number"),
        ("period_quarter_end", "date", "Last day of the quarter, on 10-Q forms", "quarter_end"),
        ("judgeName", "text", "Name of the judge", "judge"),
        ("effective_date", "date", "", None),
        ("Governing Law", "text", "", None),
    ],
)
def test_concept(name: str, type_: str, description: str, concept: str | None) -> None:
    field = Field(name=name, type=FieldType(type_), description=description or None)
    found = concept_of(query_of(field))
    assert (found.name if found else None) == concept


def test_a_field_that_running_text_means_more_plainly_is_left_to_it() -> None:
    field = Field(name="signature date", type=FieldType.DATE, description="Date of the decision")
    assert concept_of(query_of(field)) is None
