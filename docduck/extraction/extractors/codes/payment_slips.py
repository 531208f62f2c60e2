"""What Brazilian payment slips state in their bar code or typeable line."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from docduck.documents.document import Document
from docduck.extraction.extractors.codes.digit_runs import find_digit_runs
from docduck.extraction.extractors.codes.formats.boleto import LENGTHS, Boleto, parse_boleto
from docduck.extraction.extractors.codes.printed import PrintedText
from docduck.extraction.extractors.codes.statement import Statement
from docduck.extraction.result import Location

_SURE, _UNPRINTED_DATE = 0.98, 0.8
_MOST_CHARACTERS = 60


def bill_statements(document: Document, today: date) -> Iterator[Statement]:
    """Yield what the slip of a document states; nothing if it has several."""
    slips = _slips(document)
    if len(slips) != 1:
        return
    ((slip, place, is_printed),) = slips.values()
    yield Statement("bill_line", slip.line, place, _SURE, _SURE, is_printed=is_printed)
    if slip.amount is not None:
        yield Statement("bill_amount", slip.amount, place, _SURE, _SURE)
    if slip.bank is not None:
        yield Statement("bill_bank", slip.bank, place, _SURE, _SURE)
    if slip.due:
        printed = PrintedText(document, ())
        shown = next((day for day in reversed(slip.due) if printed.find_date(day)), None)
        due = shown or min(slip.due, key=lambda day: abs(day - today))
        sure = _SURE if shown else _UNPRINTED_DATE
        yield Statement("bill_due_date", due, place, sure, sure)


def _slips(document: Document) -> dict[str, tuple[Boleto, Location, bool]]:
    """Return the slips by their bar code, each with its place and whether that is the printed line."""
    slips: dict[str, tuple[Boleto, Location, bool]] = {}
    for digits, place in find_digit_runs(document, LENGTHS):
        if slip := parse_boleto(digits):
            slips.setdefault(slip.barcode, (slip, place, digits == slip.line))
    for page in document.pages:
        for code in page.barcodes:
            text = code.text if len(code.text) <= _MOST_CHARACTERS else ""
            if slip := parse_boleto("".join(filter(str.isdecimal, text))):
                slips.setdefault(slip.barcode, (slip, Location(page.number, code.box, code.text), False))
    return slips
