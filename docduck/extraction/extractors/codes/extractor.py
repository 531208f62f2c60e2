"""Answers fields from the codes on the pages: payments by their QR code, and codes' own texts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from docduck.documents.document import Barcode, Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.codes.fields import code_kinds, matrix_kinds, payment_value
from docduck.extraction.extractors.codes.payment import Payment, parse_payment
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Finding, Location
from docduck.fields import Field, FieldType

_DECODED = 0.97
"""How surely a decoded code is the one meant where it is the only one of its kind."""
_ONE_OF_SEVERAL = 0.7

Code = tuple[int, Barcode]
"""A code with the number of its page."""


class CodesExtractor:
    """Knows what barcodes and QR codes say."""

    name = "codes"

    def find(self, document: Document, fields: Sequence[Field], options: ExtractOptions) -> Findings:
        """Findings with source ``structured`` whose place is the code's."""
        found = Findings()
        codes = [(page.number, code) for page in document.pages for code in page.barcodes]
        if not codes:
            return found
        payments = [(code, payment) for code in codes if (payment := parse_payment(code[1].text))]
        for field in fields:
            finding = _own_text(field, codes)
            if finding is None and len({payment for _, payment in payments}) == 1:
                finding = _payment(field, *payments[0])
            if finding is not None:
                found.scalars[field.name] = finding
        return found


def _own_text(field: Field, codes: Sequence[Code]) -> Finding | None:
    kinds = code_kinds(field)
    if kinds is None:
        return None
    fitting = [code for code in codes if not kinds or code[1].kind in kinds]
    fitting.sort(key=lambda code: code[1].kind in matrix_kinds())
    if not fitting:
        return None
    if field.type is FieldType.LIST:
        places = tuple(_place(code) for code in fitting)
        return Finding([code.text for _, code in fitting], _DECODED, places, source="structured")
    text = fitting[0][1].text
    if field.type is FieldType.NUMBER and not text.isdecimal():
        return None
    rivals = [
        code for code in fitting if (code[1].kind in matrix_kinds()) == (fitting[0][1].kind in matrix_kinds())
    ]
    confidence = _DECODED if len(rivals) == 1 else _ONE_OF_SEVERAL
    return _finding(int(text) if field.type is FieldType.NUMBER else text, confidence, fitting[0])


def _payment(field: Field, code: Code, payment: Payment) -> Finding | None:
    asked = payment_value(field)
    if asked is None:
        return None
    value: Any = getattr(payment, asked[0])
    if value is None or (field.type is FieldType.CHOICE and value not in field.options):
        return None
    if field.type is FieldType.TEXT and not isinstance(value, str):
        return None  # the code states a date or an amount as data, a text is what the page prints
    return _finding(value.isoformat() if isinstance(value, date) else value, asked[1], code)


def _finding(value: Any, confidence: float, code: Code) -> Finding:
    return Finding(value, confidence, (_place(code),), code[1].text, "structured")


def _place(code: Code) -> Location:
    return Location(code[0], code[1].box, code[1].text)
