"""Lines of a table that are no rows: sums, labelled values, headings of groups and the columns they answer.

A heading is "Card 0771" above the rows of that card.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch, is_filler
from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.extractors.layout.tables.cells import cell_finding
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import Row, Token
from docduck.extraction.result import Finding
from docduck.fields import FieldType

_SUMMARY = frozenset({
    "tax_total", "grand_total", "amount_due", "amount_paid", "net_total", "lines_total", "opening_balance",
    "closing_balance", "discount", "shipping", "total_credits", "total_debits", "rounding", "change",
})  # fmt: skip
_WORDS = 8
"""Number of words of a heading at most."""


def summary_label(row: Row, label_index: LabelIndex) -> LabelMatch | None:
    """Return the label of a sum in ``row`` that its amount follows, None if there is none."""
    for label in label_index.by_row.get(row.index, ()):
        if label.segment not in row.segments or not label.concepts & _SUMMARY or label.start > 4:
            continue
        before = label.segment.tokens[: label.start]
        if any(t.key and not is_filler(t) and not t.key.isdigit() for t in before):
            continue
        rest = label.segment.tokens[label.end :]
        if sum(any(c.isalpha() for c in t.text) and not is_filler(t) for t in rest) > 3:
            continue
        right = [s for s in row.segments if s.left >= label.segment.right]
        if any(t.key[:1].isdigit() or t.key[-1:].isdigit() for t in rest) or any(s.has_digit for s in right):
            return label
        if not right and label.alone:
            return label
    return None


def is_labelled(tokens: Sequence[Token]) -> bool:
    """Return whether a text has the form "label: value"."""
    return any(
        t.text.startswith(":") or (t.text.endswith(":") and not t.text.endswith("):")) for t in tokens[:3]
    ) and not tokens[0].text.startswith("(")


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
