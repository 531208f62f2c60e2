"""The concept of prose, or the role in a contract, that a field means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from docduck.extraction.extractors.prose.lexicon import ProseConcept, concepts
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import entries
from docduck.extraction.normal_text import key
from docduck.fields import Field, FieldType

_KINDS = {
    FieldType.DATE: {"date"},
    FieldType.NUMBER: {"money", "duration", "percent"},
    FieldType.CURRENCY: {"money"},
    FieldType.LIST: {"names", "text", "place", "id"},
    FieldType.TEXT: {"text", "place", "id", "duration", "kind", "money", "percent", "names", "date"},
    FieldType.CHOICE: {"kind", "place"},
}
_AMBIGUOUS = frozenset(
    {"company", "bank", "customer", "supplier", "vendor", "maker", "empresa", "creditor", "debtor"}
)
"""Words for roles that fields use for other things as well."""
_OPTIONAL = re.compile(
    r"empty if|null if|leave (?:it )?empty|if (?:any|stated|given|present)\b", re.IGNORECASE
)
_ENOUGH = 0.6
_OTHERS = frozenset({"next", "previous", "last", "first", "second", "nachste", "letzte", "prochaine"})
"""Words that ask for another of a kind than the one a text is about."""


@lru_cache(maxsize=4096)
def concept_of(query: FieldQuery) -> ProseConcept | None:
    """Return the concept that a field asks for, None if the lexicon of prose has none near."""
    return nearest_concept(query, concepts())[0]


def nearest_concept(
    query: FieldQuery, concepts: Mapping[str, ProseConcept]
) -> tuple[ProseConcept | None, float]:
    """Return which of ``concepts`` a field asks for, with its likeness, 0–1; None and 0 if none is near."""
    kinds = _KINDS.get(query.type, set())
    words = frozenset(query.title.words)
    text = query.description.whole.key + query.instructions.key
    best, likeness = None, 0.0
    for concept in concepts.values():
        if concept.kind not in kinds:
            continue
        score = max((_likeness(words, name) for name in concept.names), default=0.0)
        if score < 1.0 and any(phrase in text for phrase in concept.said):
            score = max(score, 0.4) + 0.3
        if score >= _ENOUGH and score > likeness:
            best, likeness = concept, score
    return best, likeness


def _likeness(words: frozenset[str], name: frozenset[str]) -> float:
    if (words - name) & _OTHERS:
        return 0.0
    common = len(words & name)
    return common / len(words | name) if common else 0.0


def may_be_empty(field: Field) -> bool:
    """Return whether the field's description asks to leave it empty where the document does not say."""
    return _OPTIONAL.search(f"{field.description or ''} {field.instructions or ''}") is not None


@lru_cache(maxsize=4096)
def role_of(query: FieldQuery) -> tuple[str, ...]:
    """Return what contracts call the role that a field asks for ("tenant", "lessee"); empty if none."""
    if query.type is not FieldType.TEXT:
        return ()
    name = "".join(word for word in query.title.words if word not in ("name", "names", "the"))
    for role, synonyms in entries("prose")["roles"].items():
        if name == key(role) or (
            name not in _AMBIGUOUS and any(name == key(synonym) for synonym in synonyms)
        ):
            return tuple(str(synonym).casefold() for synonym in synonyms)
    return ()
