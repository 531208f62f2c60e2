"""Values in the sentence most about a field: dates, numbers, amounts, durations, and what it affirms."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from statistics import fmean
from typing import Any

from docduck.extraction.confidence import Evidence
from docduck.extraction.extractors.prose.text.prose import Prose
from docduck.extraction.extractors.prose.values.durations import find_durations
from docduck.extraction.extractors.wording.text_values import amounts, in_ranges, numbers, wants_duration
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.terms import Spot, Term, query_terms, spots
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.locale import Locale
from docduck.extraction.result import Finding
from docduck.extraction.values.dates import find_dates
from docduck.fields import FieldType

_READ = 60_000
"""Characters of the text that are looked at."""
_ENOUGH = 0.62
_FAR = 90
"""Characters between a word and its value from which they hardly belong together."""
_LEAST_NEAR = 0.3
_FARTHEST = 2 * (1.0 - _LEAST_NEAR) * _FAR
"""Characters from which a word is as far as any; those behind it have no fewer breaks before them."""
_BEFORE, _COUNTED = 45, 8
"""Characters added to the distance of a value before its word; fewer for counts."""
_BREAK = re.compile(r"[;:]|,\s(?:while|and the|whereas|wobei)\s|\(")
_DENIED = "un"
_WORD = re.compile(r"\w+")
_SHORTEST = 4
"""Words in a statement at least."""


class Sentences:
    """The sentences of a document with their terms."""

    def __init__(self, prose: Prose, locale: Locale) -> None:
        self.prose = prose
        self.locale = locale
        self.text = prose.flat[:_READ]

    @cached_property
    def spots(self) -> list[Spot]:
        return spots(self.text)

    @cached_property
    def _by_meaning(self) -> dict[int | str, list[int]]:
        found: dict[int | str, list[int]] = defaultdict(list)
        for index, spot in enumerate(self.spots):
            found[spot.term.stem].append(index)
            for group in spot.term.groups:
                found[group].append(index)
        return found

    def held(self, term: Term) -> list[Spot]:
        """Return the places of a term, in the order of the text."""
        some = set(self._by_meaning.get(term.stem, ()))
        for group in term.groups:
            some.update(self._by_meaning.get(group, ()))
        return [self.spots[i] for i in sorted(some)]

    def find(self, query: FieldQuery, least: float) -> Finding | None:
        """Return the value of the sentence most about the field, None if none scores ``least``."""
        if query.type is FieldType.BOOLEAN:
            return self._stated(query)
        if query.type not in (FieldType.DATE, FieldType.NUMBER, FieldType.CURRENCY) and not wants_duration(
            query
        ):
            return None
        best: tuple[float, Any, int, int] | None = None
        for start, end, share, places in self._about(query):
            for value, at, to in self._values(query, start, end):
                cost = _COUNTED if query.type is FieldType.NUMBER else _BEFORE
                near = fmean(self._nearness(some, at, to, cost) for some in places.values())
                score = share * near
                if best is None or score > best[0] + 1e-9:
                    best = (score, value, at, to)
        if best is None or best[0] < least:
            return None
        score, value, at, to = best
        known = query.concept is not None
        evidence = Evidence("sentence", score, ocr=self.prose.ocr_score(at, to), known=known)
        place, raw = self.prose.locations(at, to), " ".join(self.text[at:to].split())
        return evidence.finding(value, place, raw)

    def _about(self, query: FieldQuery) -> Iterator[tuple[int, int, float, dict[int, list[Spot]]]]:
        """Yield sentences with the share of the field's words that they hold, and where."""
        expected = query_terms(query)
        for some, factor in ((expected.name, 1.0), (expected.described, 0.95)):
            total = sum(t.weight for t in some)
            if not any(t.weight == 1.0 for t in some):
                continue
            shares: dict[tuple[int, int], dict[int, float]] = defaultdict(dict)
            places: dict[tuple[int, int], dict[int, list[Spot]]] = defaultdict(lambda: defaultdict(list))
            for order, term in enumerate(some):
                for spot in self.held(term):
                    span = self.prose.sentence(spot.start)
                    shares[span][order] = term.weight
                    if term.weight == 1.0:
                        places[span][order].append(spot)
            for span, held in shares.items():
                share = sum(held.values()) / total
                if share >= _ENOUGH and places[span]:
                    yield *span, factor * share, places[span]

    def _values(self, query: FieldQuery, start: int, end: int) -> list[tuple[Any, int, int]]:
        part = self.text[start:end]
        if query.type is FieldType.DATE:
            dates = in_ranges(query, part, find_dates(part, self.locale.year_first))
            found = [(d.read(self.locale.day_first).isoformat(), d.start, d.end) for d in dates]
        elif query.type is FieldType.CURRENCY:
            found = amounts(part, self.locale)
        elif query.type is FieldType.NUMBER:
            priced = amounts(part, self.locale) if re.search(r"[€$£]|EUR|USD", part) else []
            found = [
                n for n in numbers(part, self.locale) if not any(a[1] < n[2] and n[1] < a[2] for a in priced)
            ]
        else:
            found = [(" ".join(part[d.start : d.end].split()), d.start, d.end) for d in find_durations(part)]
        return [(value, start + at, start + to) for value, at, to in found]

    def _nearness(self, places: list[Spot], at: int, to: int, before: int) -> float:
        """Return how near, 0–1, the nearest of the field's words is to a value."""
        best = 0.0
        after = bisect_left(places, to, key=lambda spot: spot.start)
        for spot in islice(places, after, None):
            gap = spot.start - to + before
            best = max(best, _near(gap, self.text[to : spot.start]))
            if gap >= _FARTHEST:
                break
        for spot in reversed(places[:after]):
            if spot.end <= at:
                gap = at - spot.end
                best = max(best, _near(gap, self.text[spot.end : at]))
                if gap >= _FARTHEST:
                    break
        return best

    def _stated(self, query: FieldQuery) -> Finding | None:
        """Return whether a sentence with all of the field's words affirms; None without one."""
        expected = [
            t for t in query_terms(query).name if t.weight == 1.0 and key(t.stem) not in ("is", "has", "are")
        ]
        if not expected:
            return None
        spans = (
            self.prose.sentence(spot.start) for spot in self.held(expected[0]) + self._denied(expected[0])
        )
        for start, end in dict.fromkeys(spans):
            here = [s for s in self._between(start, end) if s.end <= end]
            if not all(any(t.means(s.term) or _opposite(t, s.term) for s in here) for t in expected):
                continue
            words = [key(w) for w in _WORD.findall(self.text[start:end])]
            if len(words) < _SHORTEST:
                continue
            denied = any(w in word_set("negations", "meanings") for w in words)
            denied ^= any(_opposite(t, s.term) for t in expected for s in here)
            sure = (0.7 if denied else 0.5) * self.prose.ocr_score(start, end)
            raw = " ".join(self.text[start:end].split())
            return Finding(not denied, sure, self.prose.locations(start, end), raw)
        return None

    def _between(self, start: int, end: int) -> list[Spot]:
        at = bisect_left(self.spots, start, key=lambda s: s.start)
        found = []
        while at < len(self.spots) and self.spots[at].start < end:
            found.append(self.spots[at])
            at += 1
        return found

    def _denied(self, term: Term) -> list[Spot]:
        return [s for s in self.spots if _opposite(term, s.term)]


def _near(gap: int, between: str) -> float:
    near = max(1.0 - 0.5 * gap / _FAR, _LEAST_NEAR)
    return near * (0.6 if _BREAK.search(between) else 1.0)


def _opposite(term: Term, other: Term) -> bool:
    return other.stem.startswith(_DENIED) and len(term.stem) > 3 and other.stem[2:] == term.stem[:4]
