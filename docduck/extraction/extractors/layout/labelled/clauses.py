"""What running text states: values that a clause labels, names beside their role, answers of yes or no."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise

from docduck.extraction.extractors.layout.labelled.places import DURATIONS, NUMERIC, Place, label_text
from docduck.extraction.extractors.layout.labelled.sentences import SENTENCE_END, paragraphs, value_spans
from docduck.extraction.extractors.prose.lexicon import name_form
from docduck.extraction.extractors.prose.values.durations import find_durations
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.terms import Term, query_terms, terms
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import (
    PageView,
    Token,
    locations,
    ocr_score,
    starts_of,
    text_of,
    tokens_at,
)
from docduck.extraction.result import Finding

_CLAUSE, _NAMED = 0.3, 0.45
"""Probability that a clause labels a value in it, and that a role labels the name beside it."""
_SHORTEST = 3
"""Words in a statement at least."""
_FAR = 200
"""Characters before and behind a value that are looked at."""
_BREAK = re.compile(r"[;:]\s|\(|,\s(?:while|whereas|and the|wobei)\s")
"""What divides a sentence into clauses."""
_MEASURES = NUMERIC | {"date"}
"""Kinds of fields whose value may be some words away from its label; identifiers directly follow theirs."""
_NAMES = frozenset({"text", "party"})
_IS = r"(?:is|was|are|were|will be|shall be|means|being|ist|est|es|è|är|er)"
_AFFIRMED, _DENIED = 0.5, 0.7
_VERBS = frozenset({"is", "has", "are"})
_WORD = re.compile(r"\w+")
_OPPOSITE = re.compile(r"\bun(?=\w{4})", re.IGNORECASE)
"""What makes the opposite of a word: "unsecured"."""


@cache
def _named() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of "Helen Carter (chair)" and "The auditor is Baker & Finch LLP"."""
    name = f"(?P<name>{name_form()})"
    return (
        re.compile(
            rf"\b{name}\s?(?:[,(]|[–-]\s)\s?(?:the\s)?(?P<label>[^\W\d_][^,;.()]{{2,40}})(?=[,;.)]|$)"
        ),
        re.compile(rf"\b(?P<label>(?:[^\W\d_]+\s){{1,4}}){_IS}\s(?:the\s)?{name}(?=[,.;)]|\s(?!\d)|$)"),
    )


def passages(page: PageView) -> Iterator[Sequence[Token]]:
    """Yield the paragraphs of a page and its other lines of some words."""
    inside: set[int] = set()
    for tokens in paragraphs(page):
        inside.update(token.segment.index for token in tokens)
        yield tokens
    yield from (
        segment.tokens
        for segment in page.segments
        if segment.index not in inside and len(segment.tokens) >= _SHORTEST
    )


def clause_places(some: Iterable[Sequence[Token]]) -> Iterator[Place]:
    """Yield the values in clauses of passages, labelled by the words around them, and named roles."""
    for tokens in some:
        text, starts = text_of(tokens), starts_of(tokens)
        spans: dict[frozenset[str], list[tuple[int, int]]] = defaultdict(list)
        for start, end, kinds in value_spans(text):
            spans[kinds & _MEASURES].append((start, end))
        spans[DURATIONS] = [(duration.start, duration.end) for duration in find_durations(text)]
        cuts = {match.end() for pattern in (SENTENCE_END, _BREAK) for match in pattern.finditer(text)}
        clauses = sorted({0, *cuts, len(text)})
        for kinds in filter(None, spans):
            for value, words, context in _labels(text, clauses, sorted(spans[kinds])):
                printed = tokens_at(tokens, starts, *value)
                yield Place(words, printed, _CLAUSE, context, lines=(printed[0].segment,), kinds=kinds)
        for pattern in _named():
            for match in pattern.finditer(text):
                printed = tokens_at(tokens, starts, *match.span("name"))
                label = label_text(match["label"].strip())
                yield Place(label, printed, _NAMED, label, lines=(printed[0].segment,), kinds=_NAMES)


def _labels(
    text: str, clauses: Sequence[int], values: Sequence[tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], str, str]]:
    """Yield each value with the words before it and behind it, up to the next value, and with its clause."""
    ends = [0, *(end for _, end in values)]
    starts = [*(start for start, _ in values[1:]), len(text)]
    for (start, end), before, behind in zip(values, ends, starts, strict=False):
        at = bisect_right(clauses, start)
        first = max(clauses[at - 1], start - _FAR)
        last = max(min(clauses[at] if at < len(clauses) else len(text), end + _FAR), end)
        for words in (text[max(before, first) : start], text[end : min(behind, last)]):
            label = label_text(words.strip(" ,.;"))
            if key(label):
                yield (start, end), label, text[first:last]


def stated(query: FieldQuery, passages: Iterable[Sequence[Token]]) -> Finding | None:
    """Return whether the first sentence with all words of a field's name affirms; None without one."""
    terms = [t for t in query_terms(query).name if t.weight == 1.0 and t.word not in _VERBS]
    for tokens in passages if terms else ():
        text, starts = text_of(tokens), starts_of(tokens)
        for start, end in pairwise((0, *(m.end() for m in SENTENCE_END.finditer(text)), len(text))):
            value = _affirmed(terms, text[start:end])
            if value is not None:
                words = tokens_at(tokens, starts, start, end)
                sure = (_AFFIRMED if value else _DENIED) * ocr_score(words)
                return Finding(value, sure, locations(words), text_of(words))
    return None


def _affirmed(queried: Iterable[Term], sentence: str) -> bool | None:
    words = [key(word) for word in _WORD.findall(sentence)]
    if len(words) < _SHORTEST:
        return None
    held, opposites = terms(sentence), terms(_OPPOSITE.sub("", sentence))
    known = [any(term.means(held_term) for held_term in held) for term in queried]
    if not all(said or any(t.means(o) for o in opposites) for t, said in zip(queried, known, strict=True)):
        return None
    denied = not word_set("negations", "meanings").isdisjoint(words)
    return denied != all(known)
