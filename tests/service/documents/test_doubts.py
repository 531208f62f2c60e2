from __future__ import annotations

from docduck.fields import parse_fields
from docduck.service.documents.doubts import failed_checks, problems_of

(FIELD,) = parse_fields([{"name": "Holder"}])
SUGGESTED = {
    "confidence": 0.0,
    "validation": [{"rule": "suggestion", "message": "The language model suggests 'Ann'"}],
}


def test_a_suggestion_is_to_be_looked_at_but_fails_no_check() -> None:
    assert problems_of(FIELD, None, SUGGESTED) == ["The language model suggests 'Ann'"]
    assert failed_checks([FIELD], {"Holder": None}, {"Holder": SUGGESTED}) == []


def test_a_suggestion_is_settled_once_there_is_a_value() -> None:
    assert problems_of(FIELD, "Bea", SUGGESTED) == []
