"""Answers of last resort: what a sentence says that a field is, or the value in the sentence most about it.

The weight of a word is its inverse document frequency over sentences (Spärck Jones 1972); the score of a
sentence is the weight of the field's words that it holds over the weight of all of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from math import log

from docduck.documents.document import Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.prose.lexicon import name_form, words
from docduck.extraction.extractors.prose.meaning import concept_of, may_be_empty, role_of
from docduck.extraction.extractors.prose.text.prose import Prose
from docduck.extraction.extractors.prose.values.field_values import MONEY
from docduck.extraction.extractors.prose.values.names import tidy
from docduck.extraction.normal_text import key, words_of
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.locale import Locale, locale_of
from docduck.extraction.result import Finding
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.numbers import as_json_number, parse_number
from docduck.fields import Field, FieldType

_LEAST_WORDS, _SHARE = 60, 0.45
_STEM = 6
"""Letters by which two words are taken for one."""
_ENOUGH, _SURE = 0.6, 0.75
"""Scores from which a sentence answers, and answers a field that the document may leave open."""
_MOST = 2000
_TYPES = frozenset({FieldType.DATE, FieldType.NUMBER, FieldType.CURRENCY, FieldType.TEXT})
_STATED = 0.55
"""The confidence of what a sentence says in so many words."""
_NUMBER = re.compile(r"(?<![\w.,/-])[-−]?\d+(?:[.,'’]\d+)*(?:\s?%)?(?![\w/-]|[.,]\d)")


class RetrievalExtractor:
    """Answers dates, numbers, amounts and names in prose documents that nothing else answered."""

    name = "retrieval"

    def find(self, document: Document, fields: Sequence[Field], options: ExtractOptions) -> Findings:
        """Return findings for typed fields that some sentence is plainly about."""
        found = Findings()
        open_ = [f for f in fields if f.type in _TYPES and concept_of(f) is None and not role_of(f)]
        if not open_ or sum(len(line.words) for page in document.pages for line in page.lines) < _LEAST_WORDS:
            return found
        prose = Prose(document)
        if prose.share < _SHARE:
            return found
        locale = locale_of(prose.text, options.locale)
        for field in open_:
            text = field.type is FieldType.TEXT
            finding = _stated(prose, field) if text else _find(prose, field, locale)
            if finding is not None:
                found.scalars[field.name] = finding
        return found


def _find(prose: Prose, field: Field, locale: Locale) -> Finding | None:
    asked = stems(field)
    if len(asked) < 2:
        return None
    held = {stem: _sentences_with(prose, stem) for stem in asked}
    count = len(prose.sentences)
    weights = {stem: log(1 + count / max(len(held[stem]), 1)) for stem in asked}
    total = sum(weights.values())
    scores: dict[int, float] = {}
    for stem, some in held.items():
        for index in some:
            scores[index] = scores.get(index, 0.0) + weights[stem] / total
    least = _SURE if may_be_empty(field) else _ENOUGH
    best = sorted((index for index in scores if scores[index] >= least), key=lambda i: (-scores[i], i))
    for index in best[:3]:
        start, end = prose.sentences[index]
        about = max(held[stem][index] for stem in asked if index in held[stem])
        values = list(_values(field, prose.flat, start, end, locale))
        if values:
            value, at, to = min(values, key=lambda v: abs(v[1] - about) + (40 if v[1] < about else 0))
            sure = (0.2 + 0.5 * scores[index]) * prose.ocr_score(at, to)
            return Finding(value, sure, prose.locations(at, to), " ".join(prose.flat[at:to].split()))
    return None


def _stated(prose: Prose, field: Field) -> Finding | None:
    """What follows "the <field> is", or the name that "the <field>" stands beside."""
    phrase = r"\s+".join(re.escape(word) for word in words_of(field.name))
    if len(phrase) < 4:
        return None
    said = re.compile(
        rf"\b(?i:{phrase})\b[”\"]?\s*(?:(?i:is|was|are|were|shall be|will be|means|being)\b\s*:?|:)\s+"
        r"(?:(?i:the)\s+)?"
        r"(?P<v>[A-ZÀ-Þ0-9“\"](?:[^.;\n]|\.(?=\w)|\n(?!\n)){1,90}?)(?=[.;]|,?\s+(?:and|who|which|whose|but)\b|\n\n|$)"
    )
    beside = re.compile(rf"(?P<v>{name_form()}),\s+(?i:(?:the|our|its|as|acting as)\s+(?:\w+\s+)?{phrase})\b")
    for pattern in (said, beside):
        match = pattern.search(prose.text)
        if match is not None:
            value = tidy(match["v"])
            sure = _STATED * prose.ocr_score(match.start("v"), match.end("v"))
            return Finding(value, sure, prose.locations(match.start("v"), match.end("v")), value)
    return None


def stems(field: Field) -> list[str]:
    """Return the words that a field's name and description ask for, cut to their stems."""
    told = f"{field.name} {(field.description or '').split(';')[0]}"
    found: dict[str, None] = {}
    for word in words_of(told):
        plain = key(word)
        if len(plain) > 2 and plain not in words("asking") and not plain.isdigit():
            found[word.casefold()[:_STEM]] = None
    return list(found)


def _sentences_with(prose: Prose, stem: str) -> dict[int, int]:
    """Return the sentences that hold a word with this stem, by index, with the place of its last occurrence."""
    found: dict[int, int] = {}
    starts = prose.sentence_starts
    at, seen = prose.low.find(stem), 0
    while at >= 0 and seen < _MOST:
        seen += 1
        if not at or not prose.low[at - 1].isalnum():
            found[max(bisect_right(starts, at) - 1, 0)] = at
        at = prose.low.find(stem, at + len(stem))
    return found


def _values(
    field: Field, text: str, start: int, end: int, locale: Locale
) -> Iterator[tuple[object, int, int]]:
    part = text[start:end]
    dates = find_dates(part, locale.year_first)
    if field.type is FieldType.DATE:
        for one in dates:
            yield one.read(locale.day_first).isoformat(), start + one.start, start + one.end
        return
    pattern = MONEY if field.type is FieldType.CURRENCY else _NUMBER
    for match in pattern.finditer(part):
        if any(one.start < match.end() and match.start() < one.end for one in dates):
            continue
        digits = re.search(r"[-−]?\d[\d.,'’ ]*", match[0])
        number = parse_number(digits[0].strip(), locale.decimal) if digits else None
        if number is not None:
            yield as_json_number(number), start + match.start(), start + match.end()
