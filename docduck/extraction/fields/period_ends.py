"""Fields that ask for the first or last day of a period."""

from __future__ import annotations

from functools import lru_cache

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.meanings import meanings_of
from docduck.extraction.fields.terms import covered, terms

_ENDS = {"begin": "start", "end": "end"}
"""Meanings of the words for the first and last day of a period."""


@lru_cache(maxsize=4096)
def end_of_period(query: FieldQuery) -> str | None:
    """Return which end of a period a field asks for, None if it asks for neither."""
    if query.concept and query.concept.range:
        return query.concept.range
    said = meanings_of(query.name)
    if "period" in said and len(said & _ENDS.keys()) == 1:
        return _ENDS[min(said & _ENDS.keys())]
    name = terms(query.name)
    for end in ("start", "end"):
        if len(name) > 1 and covered(terms(end), name):
            return end
    return None
