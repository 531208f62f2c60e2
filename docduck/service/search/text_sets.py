"""Word searches with trigram indexes of SQLite and PostgreSQL."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, and_, column, or_, select, table

from docduck.catalog.models import SearchText
from docduck.service.search.query import CheckedQuery

_TRIGRAM = 3
_index = table("search_index", column("rowid"), column("search_index"))


@dataclass(frozen=True, slots=True)
class TextSet:
    """Documents that contain each of the case-folded ``parts`` in the name, external id or, if wanted,
    values.
    """

    parts: tuple[str, ...]
    in_values: bool

    @property
    def has_trigrams(self) -> bool:
        """Whether a part is long enough for the index."""
        return any(len(part) >= _TRIGRAM for part in self.parts)

    def numbers(self, is_sqlite: bool) -> Select[int]:
        """Return the documents' numbers from the index; SQLite's ignores shorter parts."""
        if not is_sqlite:
            return select(SearchText.number).where(self.clause())
        long = [part for part in self.parts if len(part) >= _TRIGRAM]
        request = " AND ".join('"' + part.replace('"', '""') + '"' for part in long)
        request = request if self.in_values else f"{{name external_id}} : {request}"
        return select(_index.c.rowid).where(_index.c.search_index.op("MATCH")(request))

    @property
    def is_exact(self) -> bool:
        """Whether all parts are long enough for the index."""
        return all(len(part) >= _TRIGRAM for part in self.parts)

    def clause(self) -> ColumnElement[bool]:
        """Return the condition that a row of ``search_texts`` contains all parts."""
        columns = [SearchText.name, SearchText.external_id, *([SearchText.body] if self.in_values else [])]
        return and_(*(or_(*(c.contains(part, autoescape=True) for c in columns)) for part in self.parts))

    def fits(self, name: str, external_id: str, body: str) -> bool:
        """Return whether the given texts contain all parts."""
        texts = (name, external_id, body) if self.in_values else (name, external_id)
        return all(any(part in text for text in texts) for part in self.parts)


def text_set(query: CheckedQuery) -> TextSet | None:
    """Return the text search of a query's ``q``; None without."""
    if query.words:
        return TextSet(query.words, True)
    return TextSet((query.whole,), False) if query.whole and not query.request.in_values else None
