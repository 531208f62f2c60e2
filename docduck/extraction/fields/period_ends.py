"""Fields that ask for the first or last day of a period."""

from __future__ import annotations

from functools import lru_cache

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.terms import covered, terms


@lru_cache(maxsize=4096)
def end_of_period(query: FieldQuery) -> str | None:
    """Return which end of a period a field asks for, None if it asks for neither."""
    if query.concept and query.concept.range:
        return query.concept.range
    name = terms(query.name)
    for end in ("start", "end"):
        if len(name) > 1 and covered(terms(end), name):
            return end
    return None
