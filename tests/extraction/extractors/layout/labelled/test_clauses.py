"""What clauses of running text state: names beside their role, values, and yes or no."""

from __future__ import annotations

import pytest

from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field, FieldType
from tests.extraction.extractors.prose.prose_documents import FILLER, written


def _read(sentence: str, field: Field) -> object:
    document = written(f"{FILLER}\n\n{sentence}\n\n{FILLER}")
    return extract_document(document, [field]).data[field.name]


@pytest.mark.parametrize(
    ("name", "sentence", "expected"),
    [
        (
            "external_auditor",
            "The external auditor is Baker & Finch LLP, who left.",
            "Baker & Finch LLP",
        ),
        ("chair", "Maria Lopez, the chair, opened the meeting and thanked those present.", "Maria Lopez"),
        ("project_name", "The project name is Northern Light and it began in spring.", "Northern Light"),
        ("treasurer", "The accounts were closed with a small surplus this year.", None),
    ],
)
def test_who_and_what_a_sentence_names(name: str, sentence: str, expected: str | None) -> None:
    assert _read(sentence, Field(name=name)) == expected


@pytest.mark.parametrize(
    ("field", "sentence", "expected"),
    [
        (Field(name="Probezeit"), "Das Arbeitsverhältnis beginnt im Mai. Die Probezeit beträgt sechs Monate.",
         "sechs Monate"),
        (Field(name="number_of_instalments", type=FieldType.NUMBER),
         "The Borrower shall repay the whole amount in 60 equal monthly instalments.", 60),
        (Field(name="weekly_hours", type=FieldType.NUMBER),
         "L'orario di lavoro è di 40 ore settimanali per l'intera durata.", 40),
    ],
)  # fmt: skip
def test_values_that_a_clause_labels(field: Field, sentence: str, expected: object) -> None:
    assert _read(sentence, field) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The loan is secured by a charge over the warehouse.", True),
        ("The loan is unsecured for its whole term.", False),
        ("The loan is not secured by any charge over the premises.", False),
        ("The accounts were closed with a small surplus this year.", None),
    ],
)
def test_what_a_sentence_affirms_and_denies(sentence: str, expected: bool | None) -> None:
    assert _read(sentence, Field(name="is_secured", type=FieldType.BOOLEAN)) is expected
