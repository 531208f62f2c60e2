"""Texts beside and below the labels of fields, where the reading of a page pairs none with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from docduck.extraction.extractors.layout.labelled.places import Place, label_text
from docduck.extraction.extractors.layout.labels.neighbours import (
    is_label_like,
    right_neighbour,
    segment_below,
)
from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import Segment, Token

_NEAR = 0.55
"""Probability that the text beside or below a label is its value."""


def near_labels(label_index: LabelIndex) -> Iterator[Place]:
    """Yield the segments right of and below each question, and one of them for each label that is alone."""
    for segment in label_index.page.segments:
        if segment.text.endswith("?"):
            yield from _near(label_text(segment.text), segment.tokens, label_index)
    for matches in label_index.by_segment.values():
        for label in matches:
            if label.alone and not any(token.key.isalpha() for token in label.segment.tokens[: label.start]):
                yield from islice(_near(label.form, label.tokens, label_index), 1)


def _near(label: str, words: Sequence[Token], label_index: LabelIndex) -> Iterator[Place]:
    """Yield the places of the label that some ``words`` of a segment are."""
    segment = words[0].segment
    below = segment_below(segment, words[0].left, words[-1].right, label_index.page.line_height)
    for other in (right_neighbour(segment), below):
        if other is not None and other.key in word_set("name_labels"):
            other = right_neighbour(other)
        if other is not None and not is_label_like(tokens := _until_label(other, label_index), label_index):
            yield Place(label, tokens, _NEAR, lines=(other,), near=True)


def _until_label(segment: Segment, label_index: LabelIndex) -> Sequence[Token]:
    """Return the words of a segment up to a label of the next column, left-aligned with others."""
    labels = label_index.by_segment.get(segment.index, ())
    ends = (label.start for label in labels if label.start and label_index.is_label_edge(label.left))
    return segment.tokens[: next(ends, len(segment.tokens))]
