"""Headings of groups of rows, and the column that they answer: "Card 0771" above the rows of that card."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from docduck.extraction.extractors.layout.tables.cells import cell_finding
from docduck.extraction.extractors.layout.tables.sums import is_labelled
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import Row, Token
from docduck.extraction.result import Finding
from docduck.fields import FieldType

_WORDS = 8
"""Number of words of a heading at most."""


def heading_in(row: Row) -> list[Token]:
    """Return the words at the left of a line if these may be a heading, none otherwise."""
    tokens = row.segments[0].tokens
    is_heading = (
        len(tokens) <= _WORDS
        and any(c.isalpha() for t in tokens for c in t.text)
        and not any(t.key in word_set("sum_words") for t in tokens)
        and not (is_labelled(tokens) and not tokens[-1].text.endswith(":"))
    )
    return list(tokens) if is_heading else []


def heading_column(columns: Sequence[FieldQuery], matched: Collection[str]) -> FieldQuery | None:
    """Return the first column of texts without a head or a known concept, None if there is none."""
    return next(
        (
            column
            for column in columns
            if column.name not in matched and column.type is FieldType.TEXT and column.concept is None
        ),
        None,
    )


def outermost(
    columns: Mapping[int, FieldQuery], grouped: FieldQuery, order: Sequence[FieldQuery]
) -> tuple[Mapping[int, FieldQuery], FieldQuery]:
    """Return the columns of rows without heads, and that of their headings, ``grouped`` so far.

    The first of two columns of texts is that of the headings, as people list a group before what it has.
    """
    texts = (i for i, c in columns.items() if c.type is FieldType.TEXT and c.concept is None)
    first = next(texts, None)
    if first is None or order.index(columns[first]) > order.index(grouped):
        return columns, grouped
    return {**columns, first: grouped}, columns[first]


def heading_finding(column: FieldQuery, tokens: Sequence[Token], score: float) -> Finding:
    """Return a heading as the value of a column: "0771" of "Card 0771 - D. Haverkamp" for "Card"."""
    names = [word for key in column.keys for word in key.split()]
    rest = list(tokens)
    while len(rest) > 1 and rest[0].key in names:
        rest = rest[1:]
    if len(rest) < len(tokens) and any(c.isdigit() for c in rest[0].text):
        rest = rest[:1]
    return cell_finding(" ".join(t.text for t in rest).rstrip(":"), rest, score, False)
