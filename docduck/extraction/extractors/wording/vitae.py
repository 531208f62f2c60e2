"""Values of a curriculum vitae."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docduck.extraction.extractors.layout.candidates.names import has_legal_form
from docduck.extraction.extractors.prose.values.names import is_person
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageViews, Segment, Token, locations
from docduck.extraction.result import Finding
from docduck.fields import FieldType

_HEADINGS = 2
"""Headings of a curriculum vitae from which a document is one."""
_GAPS = re.compile(r",\s|\s[|·•–—-]\s|\s{2,}")


def is_vitae(view: PageViews) -> bool:
    """Whether a document is a curriculum vitae, by its headings."""
    heads = {s.key for page in view.pages[:2] for s in page.segments if len(s.tokens) <= 3}
    return len(heads & word_set("vitae", "meanings")) >= _HEADINGS


def of_vitae(view: PageViews, query: FieldQuery) -> Finding | None:
    """Return what the layout of a curriculum vitae shows: its person, the present employer, the school."""
    if query.type is not FieldType.TEXT:
        return None
    words = set(query.title.words)
    segments = view.segments
    name = next((s for s in segments[:5] if is_person(s.text)), None)
    if words & {"name", "candidate", "applicant"} and not words & {
        "company",
        "employer",
        "school",
        "university",
    }:
        return _finding(name.tokens, name.text, 0.8) if name else None
    if words & {"title", "profession", "position", "role", "occupation", "beruf", "poste"} and name:
        below = next((s for s in segments[segments.index(name) + 1 :]), None)
        if (
            below is not None
            and len(below.tokens) <= 6
            and not any(c.isdigit() or c in "@:" for c in below.text)
        ):
            return _finding(below.tokens, below.text, 0.7)
    if words & {"employer", "company", "arbeitgeber", "employeur", "empresa"}:
        return _present(segments, view)
    if words & {"university", "school", "college", "universitaet", "hochschule", "universite"}:
        for segment in segments:
            for piece in _GAPS.split(segment.text):
                if any(key(w) in word_set("schools", "meanings") for w in piece.split()):
                    return _finding(segment.tokens, piece.strip(" ,"), 0.65)
    return None


def _present(segments: Sequence[Segment], view: PageViews) -> Finding | None:
    """Return the employer in the row that says "present"."""
    for page in view.pages[:2]:
        for row in page.rows:
            if not any(token.key in word_set("ongoing", "meanings") for token in row.tokens) or not re.search(
                r"\d{4}", row.text
            ):
                continue
            pieces = [
                (piece.strip(" ,"), s)
                for s in row.segments
                for piece in _GAPS.split(s.text)
                if piece.strip(" ,") and not any(c.isdigit() for c in piece)
            ]
            pieces = [p for p in pieces if not set(map(key, p[0].split())) & word_set("ongoing", "meanings")]
            legal = next((p for p in pieces if has_legal_form(p[0])), pieces[1] if len(pieces) > 1 else None)
            if legal is not None:
                return _finding(legal[1].tokens, legal[0], 0.65)
    return None


def _finding(tokens: Sequence[Token], text: str, sure: float) -> Finding:
    return Finding(text, sure, locations(tokens), text)
