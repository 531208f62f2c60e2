"""The retrieval extractor: values from the sentence most similar to a field, as a last resort.

The weight of a word is its inverse document frequency over sentences (Spärck Jones 1972). The score of a
sentence is the weight of the field's words in it over the weight of all of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from math import log

from docduck.documents.document import Document
from docduck.extraction.confidence import Evidence
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.prose.lexicon import name_form, words
from docduck.extraction.extractors.prose.meaning import concept_of, may_be_empty, role_of
from docduck.extraction.extractors.prose.text.prose import Prose
from docduck.extraction.extractors.prose.values.field_values import MONEY
from docduck.extraction.extractors.prose.values.names import tidy
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.normal_text import key, words_of
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.locale import Locale, locale_of
from docduck.extraction.result import Finding
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.numbers import as_json_number, parse_number
from docduck.fields import Field, FieldType

_MIN_WORDS, _MIN_PROSE_SHARE = 60, 0.45
_STEM = 6
"""Length of the stems by which words are compared."""
_MIN_SCORE, _MIN_SCORE_IF_OPTIONAL = 0.6, 0.75
"""Minimum score of a sentence, and for a field that may be empty."""
_MAX_OCCURRENCES = 2000
_TYPES = frozenset({FieldType.DATE, FieldType.NUMBER, FieldType.CURRENCY, FieldType.TEXT})
_STATEMENT_CONFIDENCE = 0.55
"""Confidence of what a sentence states literally."""
_NUMBER = re.compile(r"(?<![\w.,/-])[-−]?\d+(?:[.,'’]\d+)*(?:\s?%)?(?![\w/-]|[.,]\d)")


class RetrievalExtractor:
    """Finds dates, numbers, amounts and names in prose documents that nothing else found."""

    name = "retrieval"

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return findings for typed fields that some sentence clearly is about."""
        found = Findings()
        unanswered_fields = [
            q.field for q in queries if q.type in _TYPES and concept_of(q) is None and not role_of(q)
        ]
        if (
            not unanswered_fields
            or sum(len(line.words) for page in document.pages for line in page.lines) < _MIN_WORDS
        ):
            return found
        prose = Prose(document)
        if prose.share < _MIN_PROSE_SHARE:
            return found
        locale = locale_of(prose.text, options.locale)
        for field in unanswered_fields:
            text = field.type is FieldType.TEXT
            finding = _find_statement(prose, field) if text else _find_in_sentences(prose, field, locale)
            if finding is not None:
                found.scalars[field.name] = finding
        return found


def _find_in_sentences(prose: Prose, field: Field, locale: Locale) -> Finding | None:
    field_stems = stems(field)
    if len(field_stems) < 2:
        return None
    sentences = {stem: _sentences_with(prose, stem) for stem in field_stems}
    count = len(prose.sentences)
    weights = {stem: log(1 + count / max(len(sentences[stem]), 1)) for stem in field_stems}
    total = sum(weights.values())
    scores: dict[int, float] = {}
    for stem, some in sentences.items():
        for index in some:
            scores[index] = scores.get(index, 0.0) + weights[stem] / total
    least = _MIN_SCORE_IF_OPTIONAL if may_be_empty(field) else _MIN_SCORE
    best = sorted((index for index in scores if scores[index] >= least), key=lambda i: (-scores[i], i))
    for index in best[:3]:
        start, end = prose.sentences[index]
        position = max(sentences[stem][index] for stem in field_stems if index in sentences[stem])
        values = list(_values(field, prose.flat, start, end, locale))
        if values:
            value, at, to = min(values, key=lambda v: abs(v[1] - position) + (40 if v[1] < position else 0))
            evidence = Evidence("sentence", scores[index], ocr=prose.ocr_score(at, to), known=False)
            place, raw = prose.locations(at, to), " ".join(prose.flat[at:to].split())
            return Finding(value, evidence.probability, place, raw, evidence=evidence)
    return None


def _find_statement(prose: Prose, field: Field) -> Finding | None:
    """Return the text after "the <field> is", or the name beside "the <field>"."""
    phrase = r"\s+".join(re.escape(word) for word in words_of(field.name))
    if len(phrase) < 4:
        return None
    statement = re.compile(
        rf"\b(?i:{phrase})\b[”\"]?\s*(?:(?i:is|was|are|were|shall be|will be|means|being)\b\s*:?|:)\s+"
        r"(?:(?i:the)\s+)?"
        r"(?P<v>[A-ZÀ-Þ0-9“\"](?:[^.;\n]|\.(?=\w)|\n(?!\n)){1,90}?)(?=[.;]|,?\s+(?:and|who|which|whose|but)\b|\n\n|$)"
    )
    beside = re.compile(rf"(?P<v>{name_form()}),\s+(?i:(?:the|our|its|as|acting as)\s+(?:\w+\s+)?{phrase})\b")
    for pattern in (statement, beside):
        match = pattern.search(prose.text)
        if match is not None:
            value = tidy(match["v"])
            confidence = _STATEMENT_CONFIDENCE * prose.ocr_score(match.start("v"), match.end("v"))
            return Finding(value, confidence, prose.locations(match.start("v"), match.end("v")), value)
    return None


def stems(field: Field) -> list[str]:
    """Return the stems of the words in a field's name and description."""
    description = f"{field.name} {(field.description or '').split(';')[0]}"
    found: dict[str, None] = {}
    for word in words_of(description):
        plain = key(word)
        if len(plain) > 2 and plain not in words("asking") and not plain.isdigit():
            found[word.casefold()[:_STEM]] = None
    return list(found)


def _sentences_with(prose: Prose, stem: str) -> dict[int, int]:
    """Return the indexes of sentences with the stem, with the position of its last occurrence."""
    found: dict[int, int] = {}
    starts = prose.sentence_starts
    at, seen = prose.low.find(stem), 0
    while at >= 0 and seen < _MAX_OCCURRENCES:
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
