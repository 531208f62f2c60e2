"""Places that a clause of running text labels: dates, numbers, durations, and names beside their role."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from docduck.extraction.extractors.layout.labelled.places import DURATIONS, NUMERIC, Place, label_text
from docduck.extraction.extractors.layout.labelled.sentences import SENTENCE_END, paragraphs, value_spans
from docduck.extraction.extractors.layout.token_text import text_of
from docduck.extraction.extractors.prose.lexicon import name_form
from docduck.extraction.extractors.prose.values.durations import find_durations
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageView, Token, starts_of

_CLAUSE, _NAMED = 0.3, 0.45
"""Probability that a clause labels a value in it, and that a role labels the name beside it."""
SHORTEST = 3
"""Words in a statement at least."""
_BREAK = re.compile(r"[;:]\s|\(|,\s(?:while|whereas|and the|wobei)\s")
"""What divides a sentence into clauses."""
_MEASURES = NUMERIC | {"date"}
"""Kinds of fields whose value may be some words away from its label; identifiers directly follow theirs."""
_NAMES = frozenset({"text", "party"})
_IS = r"(?:is|was|are|were|will be|shall be|means|being|ist|est|es|è|är|er)"
Span = tuple[int, int, frozenset[str]]
"""Where a value begins and ends, and the kinds of fields that it answers."""


@cache
def _named() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of "Helen Carter (chair)" and "The auditor is Baker & Finch LLP"."""
    name = f"(?P<name>{name_form()})"
    return (
        re.compile(rf"{name}\s?(?:[,(]|[–-]\s)\s?(?:the\s)?(?P<label>[^\W\d_][^,;.()]{{2,40}})(?=[,;.)]|$)"),
        re.compile(rf"(?P<label>(?:[^\W\d_]+\s){{1,4}}){_IS}\s(?:the\s)?{name}(?=[,.;)]|\s(?!\d)|$)"),
    )


def texts(page: PageView) -> Iterator[Sequence[Token]]:
    """Yield the paragraphs of a page and its other lines of some words."""
    inside: set[int] = set()
    for tokens in paragraphs(page):
        inside.update(token.segment.index for token in tokens)
        yield tokens
    yield from (
        segment.tokens
        for segment in page.segments
        if segment.index not in inside and len(segment.tokens) >= SHORTEST
    )


def clause_places(page: PageView) -> Iterator[Place]:
    """Yield the values of a page's clauses, labelled by the words before and behind, and named roles."""
    for tokens in texts(page):
        text = text_of(tokens)
        values = [(start, end, kinds & _MEASURES) for start, end, kinds in value_spans(text)]
        values += ((one.start, one.end, DURATIONS) for one in find_durations(text))
        cuts = {match.end() for pattern in (SENTENCE_END, _BREAK) for match in pattern.finditer(text)}
        for start, end in pairwise(sorted({0, *cuts, len(text)})):
            yield from _of_clause(tokens, text, (start, end), [v for v in values if start <= v[0] < end])
        yield from _names(tokens)


def _of_clause(
    tokens: Sequence[Token], text: str, clause: tuple[int, int], values: Sequence[Span]
) -> Iterator[Place]:
    for start, end, kinds in values:
        if not kinds:
            continue
        value = shown(tokens, start, end)
        rivals = [one for one in values if one[2] == kinds]
        before = max((to for _, to, _ in rivals if to <= start), default=clause[0])
        behind = min((at for at, _, _ in rivals if at >= end), default=clause[1])
        for words in (text[before:start], text[end:behind]):
            label = label_text(words.strip(" ,.;"))
            if key(label):
                context = text[slice(*clause)]
                yield Place(label, value, _CLAUSE, context, lines=(value[0].segment,), kinds=kinds)


def _names(tokens: Sequence[Token]) -> Iterator[Place]:
    text = text_of(tokens)
    for pattern in _named():
        for match in pattern.finditer(text):
            value = shown(tokens, *match.span("name"))
            label = label_text(match["label"].strip())
            yield Place(label, value, _NAMED, label, lines=(value[0].segment,), kinds=_NAMES)


def shown(tokens: Sequence[Token], start: int, end: int) -> list[Token]:
    """Return the tokens that show a part of their text."""
    begun = zip(tokens, starts_of(tokens), strict=True)
    return [token for token, at in begun if at < end and start < at + len(token.text)]
