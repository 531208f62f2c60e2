"""Cleared values are not read from the same position again, but found elsewhere."""

from __future__ import annotations

from typing import Any

from docduck.extraction.learned_layout import LearnedLayout
from docduck.fields import parse_fields
from tests.extraction.extractors.learned.letter_documents import corrected, letter, read_with

FIELDS = parse_fields([{"name": "Issued", "type": "date"}, {"name": "Vendor"}, {"name": "Order Number"}])


def facts(number: int, word: str = "Vind") -> tuple[str, str]:
    return (f"Zarqo  K{number}23/{number}5", f"{word}  1{number}.04.2024")


def cleared_layout(*lines: str, **changes: Any) -> LearnedLayout:
    return corrected(letter(*lines), FIELDS, **changes)


def test_cleared_value_is_empty_in_next_document() -> None:
    other = letter(*facts(1))
    assert read_with(other, FIELDS).data["Issued"] == "2024-04-11"
    found = read_with(other, FIELDS, cleared_layout(*facts(0), Issued=None))
    assert found.data["Issued"] is None
    assert "Issued" not in found.field_metadata


def test_clearing_affects_one_field() -> None:
    other = letter(*facts(1))
    found = read_with(other, FIELDS, cleared_layout(*facts(0), Issued=None)).data
    assert {**found, "Issued": None} == {**read_with(other, FIELDS).data, "Issued": None}


def test_value_is_found_at_another_position() -> None:
    taught = cleared_layout(*facts(0), Issued=None)
    moved = letter("Zarqo  K123/45", "Plok  Ada Quill", "The mill wrote this paper on 11 April 2024")
    assert read_with(moved, FIELDS, taught).data["Issued"] == "2024-04-11"


def test_value_is_found_under_its_own_label() -> None:
    taught = cleared_layout(*facts(0), Issued=None)
    assert read_with(letter(*facts(1, "Issued")), FIELDS, taught).data["Issued"] == "2024-04-11"


def test_own_label_overrides_cleared_value_except_same_text() -> None:
    taught = cleared_layout("Order number  X-99", Order_Number=None)
    fields = FIELDS
    assert read_with(letter("Order number  X-98"), fields).data["Order Number"] == "X-98"
    assert read_with(letter("Order number  X-98"), fields, taught).data["Order Number"] == "X-98"
    assert read_with(letter("Order number  X-99"), fields, taught).data["Order Number"] is None


def test_document_with_value_there_overrides_cleared_value() -> None:
    cleared = cleared_layout(*facts(0), Issued=None)
    stated = cleared_layout(*facts(2), Issued="2024-04-12", Vendor="K223/25")
    for taught in ((cleared, stated), (stated, cleared)):
        assert read_with(letter(*facts(1)), FIELDS, *taught).data["Issued"] == "2024-04-11"
