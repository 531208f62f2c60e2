"""The words with which the documents of a parser announce its fields, learned from corrected documents.

What documents of the same layout have taught holds at once. On other layouts, a label or header counts once
corrections to documents of several layouts agree on it: what is read right needs no further label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from docduck.extraction.fields.field_query import query_of
from docduck.extraction.learned_layout import LearnedLayout, field_identity
from docduck.extraction.lexicon import concepts_by_label
from docduck.extraction.normal_text import key
from docduck.fields import Field, FieldType

_MOST_HEADERS = 5
_SURE = 0.75
"""The share of documents in which a label announces one field rather than another, or a mistake."""

Teaching = tuple[LearnedLayout, str]
"""A layout and the text that it has taught."""


def with_taught_labels(
    fields: Sequence[Field], similar: Sequence[LearnedLayout], layouts: Sequence[LearnedLayout]
) -> list[Field]:
    """Return ``fields`` with the labels and column headers that ``layouts`` have taught as further labels.

    ``similar`` are those of ``layouts`` that have the document's own layout.
    """
    if not layouts:
        return list(fields)
    mine = {id(layout) for layout in similar}
    others = Vocabulary([layout for layout in layouts if id(layout) not in mine])
    return [
        _with_headers(field, similar, others)
        if field.type is FieldType.TABLE
        else _with_labels(field, _announcing_alone(field, others.labels(field_identity(field))))
        for field in fields
    ]


def with_printed_labels(fields: Sequence[Field], similar: Sequence[LearnedLayout]) -> list[Field]:
    """Return ``fields`` with the labels that announced their values on documents of the same layout.

    Offline, the learned place itself is read; a language model is told these words.
    """

    def labels(field: Field) -> Iterator[str]:
        for layout in similar:
            place = layout.places.get(field_identity(field))
            if place is not None and place.label and not place.foreign:
                yield place.label

    return [_with_labels(field, list(dict.fromkeys(labels(field)))) for field in fields]


class Vocabulary:
    """The labels and headers on which several layouts agree."""

    def __init__(self, layouts: Sequence[LearnedLayout]) -> None:
        self._layouts = layouts
        self._announced = Counter(words for layout in layouts for words in _announcing(layout))
        self._fingerprints = {id(layout): layout.fingerprint for layout in layouts}
        self._are_alike = cache(self._similar)

    def labels(self, name: str) -> list[str]:
        """Return the labels of a field, identified by ``name``."""
        taught: dict[str, list[Teaching]] = {}
        for layout in self._layouts:
            place = layout.places.get(name)
            if place is not None and place.words and place.corrected and not place.foreign:
                text = place.label if key(place.label) == place.words else place.words
                taught.setdefault(place.words, []).append((layout, text))
        return [
            some[0][1]
            for words, some in taught.items()
            if len(some) >= _SURE * self._announced[words] and self._is_common(some)
        ]

    def headers(self, table: str, column: str) -> list[str]:
        """Return the headers of a column of a table, both identified by their names."""
        taught: dict[str, list[Teaching]] = {}
        for layout in self._layouts:
            text = layout.headers.get(table, {}).get(column)
            if text:
                taught.setdefault(key(text), []).append((layout, text))
        return [some[0][1] for some in taught.values() if self._is_common(some)]

    def _is_common(self, some: Sequence[Teaching]) -> bool:
        """Return whether one of the layouts differs from the first."""
        first = id(some[0][0])
        return any(not self._are_alike(first, id(layout)) for layout, _ in some[1:])

    def _similar(self, number: int, other: int) -> bool:
        return self._fingerprints[number].is_like(self._fingerprints[other])


def _announcing_alone(field: Field, labels: Sequence[str]) -> list[str]:
    """Return those of ``labels`` that are not known as labels of something else."""
    query, known = query_of(field), concepts_by_label()
    return [label for label in labels if key(label) not in known or query.weight(key(label))]


def _announcing(layout: LearnedLayout) -> Iterator[str]:
    """Yield the words that announce a value in a layout, right or read in error, once for each value."""
    mistaken = (mistake.place for mistake in layout.mistakes.values() if mistake.place is not None)
    for place in (*layout.places.values(), *mistaken):
        if place.words:
            yield place.words


def _with_headers(table: Field, similar: Sequence[LearnedLayout], others: Vocabulary) -> Field:
    name = field_identity(table)
    known: list[Mapping[str, str]] = [layout.headers[name] for layout in similar if name in layout.headers]
    columns = []
    for column in table.columns:
        own = field_identity(column)
        texts = [headers[own] for headers in known[:_MOST_HEADERS] if own in headers]
        columns.append(_with_labels(column, [*texts, *others.headers(name, own)]))
    return table.model_copy(update={"columns": tuple(columns)})


def _with_labels(field: Field, texts: Sequence[str]) -> Field:
    """Return a field with further labels."""
    if not texts:
        return field
    return field.model_copy(update={"labels": tuple(dict.fromkeys([*field.labels, *texts]))})
