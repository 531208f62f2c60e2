"""Typed values from the sentence that is about a field."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.extraction.extractors.prose.retrieval import RetrievalExtractor
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.options import ExtractOptions
from docduck.fields import Field, FieldType
from tests.extraction.extractors.prose.prose_documents import FILLER, written

REPORT = written(f"""
{FILLER}

The survey covered forty-two wells in the northern valley between January and March. The average nitrate
concentration was 23.4 mg/l. The total cost of the survey was $48,250.00 and was paid by the county in 2018.
Sampling began on January 14, 2019. The number of wells above the limit was 7.

{FILLER}
""")


def _value(field: Field) -> Any:
    found = RetrievalExtractor().find(REPORT, [query_of(field)], ExtractOptions()).scalars.get(field.name)
    return found.value if found else None


@pytest.mark.parametrize(
    ("name", "type_", "description", "expected"),
    [
        ("survey_cost", "currency", "Total cost of the survey", 48250),
        ("sampling_start", "date", "Day on which sampling began", "2019-01-14"),
        ("wells_above_limit", "number", "Number of wells above the limit", 7),
        ("nitrate_average", "number", "Average nitrate concentration", 23.4),
        ("bridge_length", "number", "Length of the longest bridge in metres", None),
        ("vaccination_date", "date", "Day of the second vaccination", None),
        ("survey_cost", "text", "Total cost of the survey", None),
    ],
)
def test_retrieval(name: str, type_: str, description: str, expected: object) -> None:
    assert _value(Field(name=name, type=FieldType(type_), description=description)) == expected


@pytest.mark.parametrize(
    ("name", "sentence", "expected"),
    [
        (
            "external_auditor",
            "The external auditor is Baker & Finch LLP, who took office in May.",
            "Baker & Finch LLP",
        ),
        ("chair", "Maria Lopez, the chair, opened the meeting and thanked those present.", "Maria Lopez"),
        ("project_name", "The project name is Northern Light and it began in spring.", "Northern Light"),
        ("chair", "The chair is not yet known, and nobody stood for the office.", None),
        ("treasurer", "The accounts were closed with a small surplus this year.", None),
    ],
)
def test_literal_statements(name: str, sentence: str, expected: str | None) -> None:
    field = Field(name=name)
    found = RetrievalExtractor().find(
        written(f"{FILLER}\n\n{sentence}\n\n{FILLER}"), [query_of(field)], ExtractOptions()
    )
    assert (found.scalars[name].value if found.scalars else None) == expected


def test_value_has_location() -> None:
    field = Field(name="survey_cost", type=FieldType.CURRENCY, description="Total cost of the survey")
    found = RetrievalExtractor().find(REPORT, [query_of(field)], ExtractOptions()).scalars["survey_cost"]
    assert found.locations[0].text == "$48,250.00"
    assert found.confidence < 0.8


def test_tables_and_forms_are_skipped() -> None:
    rows = "\n".join(f"|Survey cost item {n}  {n}  ${n},250.00" for n in range(1, 40))
    field = Field(name="survey_cost", type=FieldType.CURRENCY, description="Total cost of the survey")
    assert not RetrievalExtractor().find(written(rows), [query_of(field)], ExtractOptions()).scalars
