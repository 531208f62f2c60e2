"""Addresses of roles that are no party of the lexicon: "Tenant address", "Property address"."""

from __future__ import annotations

from collections.abc import Callable

from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.label_texts import LabelText, texts_of_label
from docduck.extraction.extractors.layout.parties import postal_addresses
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.page.page_view import Segment, Token
from docduck.extraction.values.addresses import address_weight, find_town

_WEAK = 0.6
"""The factor for an address without a town."""


def address(
    scan: DocumentAnalysis, target: FieldQuery, is_label: Callable[[Segment], bool]
) -> LabelText | None:
    """Return the address beside or below the best label of ``target``, None if there is none."""
    best: LabelText | None = None
    for page, occurrences in enumerate(scan.occurrences):
        for label in occurrences:
            weight = target.weight(label.form) * label.trust
            for one in texts_of_label(label, scan.label_indexes[page]) if weight else ():
                tokens = _lines(one, is_label)
                if not tokens:
                    continue
                score = one.score * weight
                if find_town(" ".join(t.text for t in tokens)) is None:
                    score *= _WEAK
                if best is None or score > best.score:
                    best = LabelText(tokens, score, label)
                break
    return best


def _lines(slot: LabelText, is_label: Callable[[Segment], bool]) -> list[Token]:
    """Return the words of ``slot`` and of the lines below that are of one address, without the name above."""
    first = slot.tokens[0].segment
    lines = [[token for token in slot.tokens if token.segment is first]]
    if find_town(" ".join(token.text for token in lines[0])) is None:
        lines += [
            list(s.tokens)
            for s in postal_addresses.trim_address(postal_addresses.column_lines(first)[1:], is_label)
        ]
    weights = [address_weight(" ".join(t.text for t in line)) for line in lines]
    while lines and not weights[0]:
        lines, weights = lines[1:], weights[1:]
    return [token for line in lines for token in line]
