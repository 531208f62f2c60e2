"""What the access keys of Brazilian fiscal documents state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docduck.documents.document import Document, Page
from docduck.extraction.extractors.codes.digit_runs import find_digit_runs
from docduck.extraction.extractors.codes.formats.access_key import (
    LENGTH,
    AccessKey,
    key_of_code,
    parse_access_key,
)
from docduck.extraction.extractors.codes.statement import Statement
from docduck.extraction.result import Location

_CHECKED, _UNCHECKED, _PART = 0.98, 0.75, 0.96
_RANKS = {"58": 2, "57": 1, "67": 1}
"""A manifest lists waybills, and a waybill invoices: the document itself has the highest rank."""
_WAYBILLS = frozenset({"57", "67"})
_SHORT_NUMBER = 4
"""Digits of a number that is looked for without its leading zeros."""

Keys = Mapping[str, tuple[AccessKey, Location, bool]]
"""Keys by their characters, each with its place and whether that is printed text."""


def fiscal_statements(document: Document) -> Iterator[Statement]:
    """Yield what the key of the document itself states; nothing if several documents are in one."""
    checked = _main(_keys(document, checked=True))
    some = checked or _main(_keys(document, checked=False))
    if len(some) != 1:
        return
    ((key, place, is_printed),) = some.values()
    sure = _CHECKED if checked else _UNCHECKED
    yield Statement("fiscal_access_key", key.key, place, sure, sure, is_printed=is_printed)
    if not checked:
        return
    is_waybill = key.model in _WAYBILLS
    issuer, number = (
        ("fiscal_carrier", "fiscal_waybill_number") if is_waybill else ("fiscal_issuer", "fiscal_number")
    )
    spellings = (key.number.zfill(9), *([key.number] if len(key.number) >= _SHORT_NUMBER else []))
    if key.issuer is not None:
        yield Statement(issuer, key.issuer, place, _PART, 0.0)
    yield Statement(number, key.number, place, _PART, 0.0, spellings=spellings)
    series = (key.series, key.series.zfill(3))
    yield Statement("fiscal_series", key.series, place, _PART, 0.0, spellings=series)
    yield Statement("fiscal_model", key.model, place, _PART, 0.0)
    yield Statement("fiscal_state", key.state, place, _PART, _PART)


def _keys(document: Document, *, checked: bool) -> Keys:
    """Return the keys of a document; unchecked ones only of its text layer, as OCR misreads digits."""
    keys: dict[str, tuple[AccessKey, Location, bool]] = {}
    exact = {page.number for page in document.pages if checked or _has_text_layer(page)}
    for digits, place in find_digit_runs(document, (LENGTH,)):
        key = parse_access_key(digits, checked=checked) if place.page in exact else None
        if key is not None:
            keys.setdefault(key.key, (key, place, True))
    for page in document.pages if checked else ():
        for code in page.barcodes:
            if key := key_of_code(code.text):
                keys.setdefault(key.key, (key, Location(page.number, code.box, code.text), False))
    return keys


def _has_text_layer(page: Page) -> bool:
    return all(word.source == "text" for line in page.lines for word in line.words)


def _main(keys: Keys) -> Keys:
    """Return the keys of the highest rank."""
    best = max((_RANKS.get(key.model, 0) for key, _, _ in keys.values()), default=0)
    return {name: one for name, one in keys.items() if _RANKS.get(one[0].model, 0) == best}
