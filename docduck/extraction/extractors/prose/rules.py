"""Sentence patterns at work: every place where the text says something, with its value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docduck.extraction.extractors.prose.lexicon import Rule, expression
from docduck.extraction.extractors.prose.text.prose import Prose

_HEAD, _TAIL = 9000, 9000
"""Characters at the document's beginning and end that count as its head and tail."""
_BEFORE, _AFTER = 330, 260
_NEAR = 110
"""Characters of the sentence before and after a pattern in which words forbid it."""
_MOST = 150
"""Occurrences of a cue that are looked at."""


@dataclass(frozen=True, slots=True)
class RuleHit:
    """A pattern that matched: where the value begins and ends (``start`` = ``end`` if only marked)."""

    rule: Rule
    start: int
    end: int
    whole: tuple[int, int]


def find_hits(prose: Prose, rules: Sequence[Rule]) -> Iterator[RuleHit]:
    """Yield the hits of ``rules`` in the text, rule by rule, each in the order of the text."""
    for rule in rules:
        yield from _of_rule(prose, rule)


def _of_rule(prose: Prose, rule: Rule) -> Iterator[RuleHit]:
    low, size = prose.low, len(prose)
    start, end = 0, size
    if rule.zone == "head":
        end = min(size, _HEAD)
    elif rule.zone == "tail":
        start = max(0, size - _TAIL)
    at, seen, done = low.find(rule.cue, start, end), 0, -1
    while at >= 0 and seen < _MOST:
        seen += 1
        if at >= done:
            match = _around(prose, rule, at, start, end)
            if match is not None:
                done = match.end()
                if rule.unless is None or not _forbidden(prose, expression(rule.unless), match):
                    yield RuleHit(rule, match.start("v"), match.end("v"), match.span())
        at = low.find(rule.cue, at + len(rule.cue), end)


def _around(prose: Prose, rule: Rule, at: int, start: int, end: int) -> re.Match[str] | None:
    """Return the match of a rule's pattern that holds its cue at ``at``."""
    left, right = max(start, at - _BEFORE), min(len(prose), at + _AFTER, max(end, at) + _AFTER)
    for match in rule.pattern.finditer(prose.text, left, right):
        if match.start() <= at < max(match.end(), match.end("v") + 1):
            return match
        if match.start() > at:
            break
    return None


def _forbidden(prose: Prose, unless: re.Pattern[str], match: re.Match[str]) -> bool:
    begin, end = prose.sentence(match.start())
    begin, end = max(begin, match.start() - _NEAR), min(max(end, match.end()), match.end() + _NEAR)
    return unless.search(prose.text, begin, end) is not None
