"""Meaning of fields: by name, description and type."""

from __future__ import annotations

import pytest

from docduck.extraction.extractors.prose.meaning import concept_of, role_of
from docduck.extraction.fields.field_query import query_of
from docduck.fields import Field, FieldType


@pytest.mark.parametrize(
    ("name", "type_", "description", "concept"),
    [
        ("effective_date", "date", "", "agreement_date"),
        ("jurisdiction", "text", "State or country whose law governs the agreement", "governing_law"),
        ("Governing Law", "text", "", "governing_law"),
        ("recht", "text", "Whose law governs the contract", "governing_law"),
        ("term", "text", "How long the agreement lasts", "term"),
        ("Kündigungsfrist", "text", "", "notice_period"),
        ("monthly_rent", "currency", "", "rent"),
        ("invoice_number", "text", "", None),
        ("total", "currency", "", None),
        ("date", "date", "", None),
        ("company", "text", "", None),
        ("term", "boolean", "", None),
    ],
)
def test_concept(name: str, type_: str, description: str, concept: str | None) -> None:
    field = Field(name=name, type=FieldType(type_), description=description or None)
    found = concept_of(query_of(field))
    assert (found.name if found else None) == concept


def test_roles_in_several_languages() -> None:
    assert "lessee" in role_of(query_of(Field(name="Tenant")))
    assert role_of(query_of(Field(name="huurder"))) == role_of(query_of(Field(name="tenant")))
    assert role_of(query_of(Field(name="landlord_name"))) == role_of(query_of(Field(name="Vermieter")))


def test_ambiguous_words_are_not_roles() -> None:
    assert role_of(query_of(Field(name="company"))) == ()
    assert role_of(query_of(Field(name="customer"))) == ()
    assert role_of(query_of(Field(name="tenant", type=FieldType.DATE))) == ()
