"""The values that could answer a field, each with its place: generators that propose and don't judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.conversion import from_candidate
from docduck.extraction.extractors.layout.labelled.clauses import clause_places, passages
from docduck.extraction.extractors.layout.labelled.name_match import NameMatch
from docduck.extraction.extractors.layout.labelled.near_labels import near_labels
from docduck.extraction.extractors.layout.labelled.places import Place
from docduck.extraction.extractors.layout.labelled.values import READ_KINDS, read_value
from docduck.extraction.extractors.layout.typed_fields import TypedFields
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import PageView, Segment, Token
from docduck.extraction.reading import reading_of
from docduck.fields import FieldType

_SHOWS = 0.1
"""Probability from which a segment is no prose, and can be a value whether a label is near or not."""
_LONGEST, _STACKED = 16, 5
"""Words of a segment and lines below each other that are a value by themselves, at most."""
_ALIGNED, _OVERLAP, _GAP = 0.8, -0.3, 1.2
"""Line heights by which the left edges of lines below each other differ at most, and between them."""
_MOST_LINES, _MOST_STACKS, _MOST_TYPED = 400, 600, 8
_MOST_PAIRS = 40_000
"""Places times fields at most, so that a document of many pages takes no longer."""
_TEXTS = frozenset({"text", "party", "bank", "address", "identifier"})
_NUMBERED = frozenset({"date", "amount", "percent", "iban", "vat", "phone", "time"})
"""Kinds of fields whose values have digits."""
_CODES = _NUMBERED | {"identifier"}
"""Those whose values have digits where no label announces them: else every heading in capitals is a code."""


@dataclass(frozen=True, slots=True)
class Named:
    """How much the label of a place names a field, 0–1: fully, in part, and by its meaning."""

    full: float
    part: float
    meaning: float

    @property
    def best(self) -> float:
        return max(self.full, 0.8 * self.part)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A value with the words that show it, and the labelled place that it was read from, if any."""

    value: Any
    tokens: Sequence[Token]
    place: Place | None = None
    named: Named | None = None
    fit: float = 1.0
    score: float = 0.0
    """That of a candidate of the field's type."""


class Proposals:
    """Proposes values for the fields of one document."""

    def __init__(
        self,
        analysis: DocumentAnalysis,
        labelled: Sequence[Place],
        typed: TypedFields,
        queries: Sequence[FieldQuery],
    ) -> None:
        self._analysis, self._typed, self.queries = analysis, typed, queries
        self._match = NameMatch(queries)
        self._named: dict[tuple[str, str, str, str], Named] = {}
        outer = [page for page in analysis.view.pages if page.is_outer]
        near = (place for index in analysis.label_indexes for place in near_labels(index))
        stated = clause_places([tokens for page in outer for tokens in passages(page)])
        most = _MOST_PAIRS // max(1, len(queries))
        self._lines = list(islice(chain.from_iterable(map(_lines, outer)), _MOST_LINES))
        alone = (Place("", line.tokens, 1.0, lines=(line,)) for line in self._lines)
        self.places = [*labelled, *near, *stated, *alone][:most]
        self._stacks = list(islice(chain.from_iterable(map(_stacks, outer)), _MOST_STACKS))

    def of(self, query: FieldQuery) -> Iterator[Proposal]:
        """Yield what could answer a field."""
        if query.kind in READ_KINDS:
            yield from self._of_places(query)
        if query.type is FieldType.TEXT and query.kind in _TEXTS:
            for line in self._lines:
                if query.kind != "identifier" or line.has_digit:
                    yield Proposal(line.text, line.tokens)
            if query.kind != "identifier":
                for stack in self._stacks:
                    tokens = [token for line in stack for token in line.tokens]
                    yield Proposal(" ".join(line.text for line in stack), tokens)
        for scored in self._typed.scored.get(query.name, ())[:_MOST_TYPED]:
            value = from_candidate(query.field, scored.candidate)
            yield Proposal(value, scored.tokens, fit=scored.candidate.form, score=scored.score)

    def _of_places(self, query: FieldQuery) -> Iterator[Proposal]:
        for place in self.places:
            if place.kinds and query.kind not in place.kinds:
                continue
            named = self.named(query, place)
            if query.kind in (_CODES if not place.label else _NUMBERED) and not any(
                map(_has_digit, place.tokens)
            ):
                continue
            read = read_value(query, place, self._analysis)
            if read is not None and read.value is not None and read.tokens:
                yield Proposal(read.value, read.tokens, place, named, read.fit)

    def named(self, query: FieldQuery, place: Place) -> Named:
        """Return how much the label of a place names a field."""
        if not place.label:
            return Named(0.0, 0.0, 0.0)
        identity = query.name, place.label, place.kind_words, place.context
        if identity not in self._named:
            self._named[identity] = Named(
                self._match.score(query, place),
                self._match.general_score(query, place, self.queries),
                self._match.likeness(query, place.label),
            )
        return self._named[identity]


def _lines(page: PageView) -> Iterator[Segment]:
    """Yield the segments of a page that are no prose."""
    reading = reading_of(page)
    for segment in page.segments:
        if len(segment.tokens) <= _LONGEST and 1.0 - reading.kind(segment.index, "prose") >= _SHOWS:
            yield segment


def _stacks(page: PageView) -> Iterator[Sequence[Segment]]:
    """Yield lines below each other with one left edge, as those of an address."""
    lines = list(_lines(page))
    for number, first in enumerate(lines):
        stack = [first]
        for line in lines[number + 1 :]:
            last = stack[-1]
            gap = (line.top - last.bottom) / last.height if last.height else _GAP
            if gap >= _GAP + 1.0:
                break
            aligned = abs(line.left - last.left) < _ALIGNED * last.height
            if line.row > last.row and aligned and _OVERLAP < gap < _GAP:
                stack.append(line)
                yield tuple(stack)
            if len(stack) == _STACKED:
                break


def _has_digit(token: Token) -> bool:
    return any(map(str.isdigit, token.text))
