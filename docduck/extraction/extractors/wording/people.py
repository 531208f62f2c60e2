"""Names beside roles, and values of set phrases: places of events, occupations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from docduck.extraction.extractors.prose.lexicon import name_form
from docduck.extraction.extractors.prose.text.prose import Prose
from docduck.extraction.extractors.prose.values.names import is_person, tidy
from docduck.extraction.extractors.wording.sentences import Sentences
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.terms import Term, covered, query_terms, terms
from docduck.extraction.lexicon import entries
from docduck.extraction.result import Finding
from docduck.fields import FieldType

_BESIDE = re.compile(r"(?:\(|,|[–-])\s*(?:the\s+)?$")
_IS = (
    r"(?:(?i:is|was|are|were|shall be|will be|means|being)\b\s*:?\s+|:[^\S\n]+)(?:(?i:the)\s+)?"
    r"(?P<v>[A-ZÀ-Þ0-9“\"](?:[^.;\n]|\.(?=\w)|\n(?!\n)){1,90}?)(?=[.;]|,?\s+(?:and|who|which|whose|but)\b|\n\n|$)"
)
"""What follows a field's name in a statement of its value."""
_SHORTEST = 4
"""Letters of a name that is looked for in statements at least."""
_BACK = 60
_NAMED, _SAID = 0.6, 0.65


def find(sentences: Sentences, query: FieldQuery) -> Finding | None:
    """Return the answer to a text field by the name beside its words or in a set phrase."""
    if query.type is not FieldType.TEXT:
        return None
    expected = query_terms(query)
    for name, patterns in _phrases().items():
        if covered(terms(name), expected.terms):
            found = _phrase(sentences.prose, patterns)
            if found is not None:
                return found
    beside = _beside(sentences, [term for term in expected.name if term.weight == 1.0])
    return beside or _statement(sentences.prose, query)


@cache
def _phrases() -> dict[str, list[re.Pattern[str]]]:
    return {
        name: [re.compile(str(one).replace(" ", r"(?: |\n(?!\n))")) for one in some]
        for name, some in entries("meanings")["phrases"].items()
    }


def _phrase(prose: Prose, patterns: Sequence[re.Pattern[str]]) -> Finding | None:
    for pattern in patterns:
        match = pattern.search(prose.text)
        if match is not None:
            return _finding(
                prose, " ".join(match["v"].split()).strip(" ,.;"), match.start("v"), match.end("v"), _SAID
            )
    return None


def _statement(prose: Prose, query: FieldQuery) -> Finding | None:
    """Return the text after "the <field> is"."""
    if len(query.title.key) < _SHORTEST:
        return None
    name = r"\s+".join(map(re.escape, query.title.spelled))
    match = re.search(rf"\b(?i:{name})\b[”\"]?\s*{_IS}", prose.text)
    if match is None:
        return None
    return _finding(prose, tidy(match["v"]), match.start("v"), match.end("v"), _NAMED)


def _beside(sentences: Sentences, expected: Sequence[Term]) -> Finding | None:
    """Return the person named right before a role: "Helen Carter (chair)"."""
    prose = sentences.prose
    for term in expected:
        for spot in sentences.held(term):
            before = prose.text[max(spot.start - _BACK, 0) : spot.start]
            opening = _BESIDE.search(before)
            if opening is None:
                continue
            base = spot.start - len(before)
            names = list(re.finditer(name_form(), before[: opening.start()]))
            if names and names[-1].end() >= len(before[: opening.start()].rstrip()):
                name = tidy(names[-1][0])
                if is_person(name):
                    return _finding(prose, name, base + names[-1].start(), base + names[-1].end(), _NAMED)
    return None


def _finding(prose: Prose, value: str, start: int, end: int, sure: float) -> Finding:
    raw = " ".join(prose.flat[start:end].split())
    return Finding(value, sure * prose.ocr_score(start, end), prose.locations(start, end), raw)
