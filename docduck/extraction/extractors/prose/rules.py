"""Matching of the lexicon's rules: every place where the text states a concept, with its value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docduck.extraction.extractors.prose.lexicon import Rule, expression
from docduck.extraction.extractors.prose.text.prose import Prose

_HEAD, _TAIL = 9000, 9000
"""Characters at the document's beginning and end that count as its head and tail."""
_BEFORE, _AFTER = 330, 260
_NEAR = 110
"""Characters of the sentence before and after a match in which ``unless`` words exclude it."""
_MAX_OCCURRENCES = 150
"""Maximum number of occurrences of a cue."""


def find_spans(prose: Prose, rule: Rule) -> Iterator[tuple[int, int]]:
    """Yield the spans of values that ``rule`` finds, in text order; empty ones if only the start is known."""
    low, size = prose.low, len(prose)
    start, end = 0, size
    if rule.zone == "head":
        end = min(size, _HEAD)
    elif rule.zone == "tail":
        start = max(0, size - _TAIL)
    at, seen, done = low.find(rule.cue, start, end), 0, -1
    while at >= 0 and seen < _MAX_OCCURRENCES:
        seen += 1
        if at >= done:
            match = _match_around(prose, rule, at, start, end)
            if match is not None:
                done = match.end()
                if rule.unless is None or not _is_excluded(prose, expression(rule.unless), match):
                    yield match.span("v")
        at = low.find(rule.cue, at + len(rule.cue), end)


def _match_around(prose: Prose, rule: Rule, at: int, start: int, end: int) -> re.Match[str] | None:
    """Return the match of a rule's pattern that contains its cue at ``at``."""
    left, right = max(start, at - _BEFORE), min(len(prose), at + _AFTER, max(end, at) + _AFTER)
    for match in rule.pattern.finditer(prose.text, left, right):
        if match.start() <= at < max(match.end(), match.end("v") + 1):
            return match
        if match.start() > at:
            break
    return None


def _is_excluded(prose: Prose, unless: re.Pattern[str], match: re.Match[str]) -> bool:
    begin, end = prose.sentence(match.start())
    begin, end = max(begin, match.start() - _NEAR), min(max(end, match.end()), match.end() + _NEAR)
    return unless.search(prose.text, begin, end) is not None
