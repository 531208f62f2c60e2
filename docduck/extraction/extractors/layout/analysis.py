"""The analysis of a document that the finders share: labels and candidates, each computed once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from docduck.documents.document import Document
from docduck.extraction.extractors.layout.candidates import recognizers
from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.extractors.layout.candidates.check_boxes import CheckBox, find_check_boxes
from docduck.extraction.extractors.layout.labels.label_finder import LabelFinder, LabelMatch
from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.period_ends import end_of_period
from docduck.extraction.normal_text import key
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.locale import Locale, decide
from docduck.extraction.page.page_view import Segment, Token, views_of


class DocumentAnalysis:
    """Labels, candidates and locale of one document."""

    def __init__(self, document: Document, targets: Sequence[FieldQuery], options: ExtractOptions) -> None:
        self.options = options
        self.view = views_of(document)
        self.locale: Locale = decide(self.view, options.locale)
        finder = LabelFinder(targets)
        self.occurrences: list[list[LabelMatch]] = [finder.find(page) for page in self.view.pages]
        self.label_indexes = [
            LabelIndex(page, matches) for page, matches in zip(self.view.pages, self.occurrences, strict=True)
        ]
        self.claimed: set[tuple[int, int]] = set()
        self.carried: set[tuple[int, int]] = set()
        self.taken: dict[int, FieldQuery] = {}
        self._candidates: dict[str, list[list[Candidate]]] = {}
        self._of_segments: dict[tuple[str, Segment], Sequence[Candidate]] = {}

    @property
    def labels(self) -> Iterator[LabelMatch]:
        """The labels of all pages, in reading order, but for those in the headers of tables."""
        return chain.from_iterable(self.occurrences)

    def label_index(self, segment: Segment) -> LabelIndex:
        """Return the labels of a segment's page."""
        return self.label_indexes[segment.page.index]

    def claim(self, page: int, header: Iterable[int], body: Iterable[int], carried: Iterable[int]) -> None:
        """Claim rows of a page for a table: ignore labels in ``header`` rows and values in ``body`` rows.

        ``carried`` are rows that carry a sum to or from another page: no value is there at all.
        """
        header_rows = frozenset(header)
        self.occurrences[page] = [o for o in self.occurrences[page] if o.segment.row not in header_rows]
        self.carried.update((page, row) for row in carried)
        self.claimed.update((page, row) for row in body)
        self.claimed |= self.carried

    def take(self, tokens: Iterable[Token], query: FieldQuery) -> None:
        """Note that the place of ``tokens`` serves ``query``."""
        for token in tokens:
            self.taken.setdefault(id(token), query)

    def release(self, names: Collection[str]) -> None:
        """Note that the places of the fields ``names`` serve none."""
        self.taken = {token: query for token, query in self.taken.items() if query.name not in names}

    def is_free(self, tokens: Iterable[Token], query: FieldQuery) -> bool:
        """Return whether no field has the place of ``tokens`` that ``query`` may not share it with."""
        holder = next((self.taken[id(t)] for t in tokens if id(t) in self.taken), None)
        return holder is None or may_share(holder, query)

    def candidates(self, kind: str) -> list[list[Candidate]]:
        """Return all candidates of a kind, by page."""
        if kind not in self._candidates:
            self._candidates[kind] = [
                [
                    candidate
                    for segment in page.segments
                    if (index, segment.row) not in self.claimed
                    for candidate in self.candidates_of(kind, segment)
                    if candidate.kind == kind
                ]
                for index, page in enumerate(self.view.pages)
            ]
        return self._candidates[kind]

    def candidates_of(self, kind: str, segment: Segment) -> Sequence[Candidate]:
        """Return the candidates of a kind in a segment, found once; amounts and percentages together."""
        kind = "amount" if kind == "percent" else kind
        candidates = self._of_segments.get((kind, segment))
        if candidates is None:
            candidates = recognizers.find_candidates(kind, segment, self.locale)
            self._of_segments[kind, segment] = candidates
        return candidates

    def all(self, kind: str) -> list[Candidate]:
        """Return all candidates of a kind, in reading order."""
        return [candidate for page in self.candidates(kind) for candidate in page]

    def has_title(self, word: str) -> bool:
        """Return whether ``word`` is a title of the first page: a short segment, or capitals at the top."""
        return any(
            (len(segment.tokens) <= 3 and segment.key == key(word) and segment.top < page.height / 3)
            or (
                segment.top < page.height / 10
                and any(token.key == key(word) and token.text.isupper() for token in segment.tokens[:2])
            )
            for page in self.view.pages[:1]
            for segment in page.segments
        )

    @cached_property
    def boxes(self) -> list[CheckBox]:
        """All check boxes, in reading order."""
        return [box for page in self.view.pages for row in page.rows for box in find_check_boxes(row)]


def may_share(query: FieldQuery, other: FieldQuery) -> bool:
    """Return whether two fields may have the value of one place: one concept or party, one name, a period."""
    if end_of_period(query) and end_of_period(other):
        return True
    if query.own.keys() & other.own.keys():
        return True
    if query.concept is None or other.concept is None:
        return False
    return query.concept is other.concept or (
        query.concept.side is not None and query.concept.side == other.concept.side
    )
