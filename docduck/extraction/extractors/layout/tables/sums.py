"""Lines of a table that are no rows: sums and other labelled values."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch, is_filler
from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.page.page_view import Row, Token

_SUMMARY = frozenset({
    "tax_total", "grand_total", "amount_due", "amount_paid", "net_total", "lines_total", "opening_balance",
    "closing_balance", "discount", "shipping", "total_credits", "total_debits", "rounding", "change",
})  # fmt: skip


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
