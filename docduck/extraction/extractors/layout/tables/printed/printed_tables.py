"""Tables of texts as printed: the best header with the names of the columns, and the rows below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.tables.columns import Match
from docduck.extraction.extractors.layout.tables.parts import TOP, TablePart, is_aligned
from docduck.extraction.extractors.layout.tables.printed.name_search import NameSearch
from docduck.extraction.extractors.layout.tables.printed.named_headers import find_named_headers
from docduck.extraction.extractors.layout.tables.printed.printed_rows import (
    is_caption,
    is_printed,
    printed_rows,
)
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key, words_of
from docduck.extraction.page.page_view import PageView
from docduck.fields import Field

_PAGE = re.compile(
    r"\b(?:pages?|p\.|seite|s\.|página|pagina|pág\.|strona|str\.|blad\w*)\s*(?:no\.?\s*|nr\.?\s*)?(\d{1,4})\b",
    re.I,
)
_ABOVE = 5.0
"""Maximum distance of a caption above its header, in line heights."""
_CAPTION = 0.3
"""Score of a caption that matches the field, for each name that its header shows."""
_ALIKE = 0.1
"""Difference of the scores of equal headers, of which the first is the table's, for each name at most."""


def page_of(field: Field) -> int | None:
    """Return the page number that the field's description or instructions name, None if they name none."""
    for text in (field.description, field.instructions):
        match = _PAGE.search(text or "")
        if match:
            return int(match[1])
    return None


def caption_overlap(table: Field, page: PageView, top: float) -> float:
    """Return the share, 0–1, of the caption's words above ``top`` that the field's name or description has.

    A caption of fewer than two significant words counts as 0.
    """
    reach = top - _ABOVE * page.line_height
    above = [row for row in page.rows if reach < row.top and row.bottom <= top + 1.0]
    start = next((i for i in range(len(above) - 1, -1, -1) if is_caption(above[i].tokens)), len(above) - 1)
    words = {t.key for row in above[max(start, 0) :] for t in row.tokens if len(t.key) > 3}
    caption = words - word_set("caption_words")
    described = " ".join(filter(None, (table.name, table.description, table.instructions)))
    field_words = {key(word) for word in words_of(described)}
    return len(caption & field_words) / len(caption) if len(caption) > 1 else 0.0


class PrintedTables:
    """Reads tables of texts by the names of their columns; each header serves one table field."""

    def __init__(self, analysis: DocumentAnalysis, queries: Sequence[FieldQuery]) -> None:
        self.analysis = analysis
        self._search = cache(NameSearch)
        self._used: set[int] = set()
        self._starts: dict[str, Match] = {}
        for query in queries:
            if is_printed(query):
                start = self._start(query)
                if start is not None:
                    self._starts[query.name] = start
                    self._used |= start.header.tokens

    def find(self, query: FieldQuery) -> list[TablePart]:
        """Return the parts of a table, page by page, none if no header has the names of its columns."""
        start = self._starts.get(query.name)
        if start is None:
            return []
        pages = self.analysis.view.pages
        parts = [self._part(start)]
        while not parts[-1].ended and parts[-1].page + 1 < len(pages):
            page = pages[parts[-1].page + 1]
            repeated = self._repeated(page, start, query)
            part = (
                self._part(repeated) if repeated is not None else self._printed_continuation(parts[-1], page)
            )
            if part is None or not part.rows:
                break
            parts.append(part)
        return parts if parts[0].rows else []

    def _start(self, query: FieldQuery) -> Match | None:
        """Return the best header with the names of the columns, first on the page that the field names."""
        hint = page_of(query.field)
        pages = self.analysis.view.pages
        named = [page for page in pages if page.number == hint]
        for views in (named, pages):
            scored = [
                (score + _CAPTION * match.named * caption_overlap(query.field, page, match.header.top), match)
                for page in views
                for score, match in find_named_headers(self._search(page), query)
                if not self._used & match.header.tokens
            ]
            best = max((score for score, _ in scored), default=0.0)
            if scored:
                return next(match for score, match in scored if score >= best - _ALIKE * match.named)
        return None

    def _repeated(self, page: PageView, start: Match, query: FieldQuery) -> Match | None:
        """Return the header at the top of a following page, None if it is not repeated there."""
        for _, match in find_named_headers(self._search(page), query)[:1]:
            is_high = match.header.top < TOP * page.height
            if is_high and match.named >= start.named and not self._used & match.header.tokens:
                return match
        return None

    def _printed_continuation(self, part: TablePart, page: PageView) -> TablePart | None:
        """Return the rows of a table that go on on the next page without a header."""
        match = replace(part.match, header=part.match.header.above(page))
        rows = match.header.own_part(page.rows)
        table_part = TablePart(match, *printed_rows(match.header, rows, part.bands))
        is_high = bool(table_part.rows) and table_part.rows[0].lines[0].top < TOP * page.height
        return table_part if is_high and is_aligned(table_part.rows[0], part) else None

    def _part(self, match: Match) -> TablePart:
        """Return the rows below a header, down to that of another table."""
        header, page = match.header, match.header.page
        others = (start.header for start in self._starts.values() if start.header.page is page)
        below = (other.first_row for other in others if header.is_over(other))
        rows = header.own_part(page.rows[header.last_row + 1 : min(below, default=len(page.rows))])
        return TablePart(match, *printed_rows(header, rows))
