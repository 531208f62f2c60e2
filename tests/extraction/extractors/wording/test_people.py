"""Names beside their role, and statements of a value, in running text."""

from __future__ import annotations

import pytest

from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field
from tests.extraction.extractors.prose.prose_documents import FILLER, written


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
    document = written(f"{FILLER}\n\n{sentence}\n\n{FILLER}")
    assert extract_document(document, [Field(name=name)]).data == {name: expected}
