"""Fields that ask for the first or last day of a period."""

from __future__ import annotations

from functools import lru_cache

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.meanings import meanings_of
from docduck.extraction.normal_text import words_of
from docduck.fields import FieldType

_ENDS = {"begin": "start", "opening": "start", "from": "start", "end": "end", "closing": "end", "to": "end"}
"""Meanings of the words for the first and last day of a period."""


@lru_cache(maxsize=4096)
def end_of_period(query: FieldQuery) -> str | None:
    """Return which end of a period a field asks for, None if it asks for neither."""
    if query.concept and query.concept.range:
        return query.concept.range
    said = meanings_of(query.name)
    if "due" in said or (query.type is not FieldType.DATE and "time" not in said):
        return None
    ends = {_ENDS[atom] for atom in said & _ENDS.keys()}
    return ends.pop() if len(ends) == 1 else None


@lru_cache(maxsize=4096)
def without_ends(name: str) -> tuple[str, ...]:
    """Return the words of a name but those that ask for an end: "Periodo" of "Periodo dal"."""
    return tuple(word for word in words_of(name) if meanings_of(word).isdisjoint(_ENDS))
