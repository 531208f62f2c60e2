"""The issuer of a document, by its letterhead; and values of a curriculum vitae."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from docduck.extraction.extractors.layout.candidates.names import has_legal_form, is_name_like
from docduck.extraction.extractors.prose.values.names import is_person
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import entries, word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageViews, Segment, Token, locations
from docduck.extraction.result import Finding
from docduck.extraction.values.addresses import find_town, is_street
from docduck.extraction.values.dates import find_dates
from docduck.fields import FieldType

_TOP = 7
"""Rows from the top that may name the issuer."""
_ALIKE, _LEGAL, _FIRST = 0.75, 0.7, 0.55
_HEADINGS = 2
"""Headings of a curriculum vitae from which a document is one."""
_GAPS = re.compile(r",\s|\s[|·•–—-]\s|\s{2,}")


@cache
def _issuers() -> dict[str, frozenset[str]]:
    return {key(k): frozenset(key(str(w)) for w in v) for k, v in entries("meanings")["issuers"].items()}


def issuer_words(query: FieldQuery) -> frozenset[str] | None:
    """Return the words that names of such an issuer have, None if the field does not ask for one."""
    if query.type is not FieldType.TEXT:
        return None
    words = [word for word in query.title.words if word not in ("name", "the", "of")]
    if not words or len(words) > 2 or words[-1] not in _issuers():
        return None
    if len(words) == 2 and words[0] not in _issuers() and words[0] not in ("issuing", "service"):
        return None
    return frozenset().union(*(_issuers().get(w, frozenset()) for w in words))


def find(view: PageViews, query: FieldQuery) -> Finding | None:
    """Return the name in the letterhead for a field that asks who issues the document."""
    alike = issuer_words(query)
    if alike is None or not view.pages:
        return None
    best: tuple[float, Segment] | None = None
    for order, segment in enumerate(_heads(view)):
        words = {key(w) for w in re.split(r"[\s\-/]+", segment.text)}
        score = _FIRST - 0.04 * order
        if has_legal_form(segment.text):
            score = _LEGAL - 0.02 * order
        if words & alike or any(len(w) > 4 and x.endswith(w) for w in alike for x in words):
            score = _ALIKE - 0.02 * order
        if best is None or score > best[0]:
            best = (score, segment)
    if best is None or best[0] < 0.4:
        return None
    return Finding(best[1].text.strip(" ,"), best[0], locations(best[1].tokens), best[1].text)


def _heads(view: PageViews) -> Iterator[Segment]:
    """Yield segments at the top of the first page that can be an issuer's name, from top to bottom."""
    for row in view.pages[0].rows[:_TOP]:
        for segment in row.segments:
            text = segment.text
            words = [key(t.text) for t in segment.tokens]
            titled = sum(w in word_set("titles", "meanings") for w in words)
            if ":" in text or len(words) > 8 or not is_name_like(text) or text[:1].islower():
                continue
            if 2 * titled >= len([w for w in words if len(w) > 2]) or find_dates(text) or text.endswith("."):
                continue
            if titled and words[-1] in word_set("titles", "meanings"):
                continue
            if find_town(text) is not None or is_street(text) or any(c.isdigit() for c in text):
                continue
            yield segment


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
