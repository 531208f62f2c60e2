"""The extractor of codes and machine-readable zones: what they state, and codes' own texts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from docduck.clock import now
from docduck.documents.document import Barcode, Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.codes.answers import answer
from docduck.extraction.extractors.codes.code_fields import code_kinds, matrix_kinds, payment_value
from docduck.extraction.extractors.codes.elements import asked_elements
from docduck.extraction.extractors.codes.elements_reader import read_elements
from docduck.extraction.extractors.codes.formats.payment import Payment, parse_payment
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Finding, Location
from docduck.fields import FieldType

_DECODED, _ONE_OF_SEVERAL = 0.97, 0.7
"""The confidence of a decoded code that is the only one of its kind, and of one among several."""

Code = tuple[int, Barcode]
"""A code with the number of its page."""


class CodesExtractor:
    """Finds what barcodes, QR codes and machine-readable zones say."""

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return findings with source ``structured``, located at the code."""
        findings = Findings()
        codes = [(page.number, code) for page in document.pages for code in page.barcodes]
        if codes:
            findings.scalars = _by_codes(codes, queries)
        asked = asked_elements(findings.open(queries))
        if asked:
            wanted = {element for some in asked.values() for element in some}
            stated, printed = read_elements(document, wanted, now().date())
            for query in findings.open(queries) if stated else ():
                finding = answer(query, asked.get(query.name, ()), stated, printed)
                if finding is not None:
                    findings.scalars[query.name] = finding
                    findings.claimed += finding.locations
        return findings


def _by_codes(codes: Sequence[Code], queries: Sequence[FieldQuery]) -> dict[str, Finding]:
    """Return the fields that are answered by a payment code or by a code's own text."""
    found = {}
    payments = [(code, payment) for code in codes if (payment := parse_payment(code[1].text))]
    for query in queries:
        finding = _own_text(query, codes)
        if finding is None and len({payment for _, payment in payments}) == 1:
            finding = _payment(query, *payments[0])
        if finding is not None:
            found[query.name] = finding
    return found


def _own_text(query: FieldQuery, codes: Sequence[Code]) -> Finding | None:
    kinds = code_kinds(query)
    if kinds is None:
        return None
    fitting = [code for code in codes if not kinds or code[1].kind in kinds]
    fitting.sort(key=lambda code: code[1].kind in matrix_kinds())
    if not fitting:
        return None
    if query.type is FieldType.LIST:
        places = tuple(_place(code) for code in fitting)
        return Finding([code.text for _, code in fitting], _DECODED, places, source="structured")
    text = fitting[0][1].text
    if query.type is FieldType.NUMBER and not text.isdecimal():
        return None
    rivals = [
        code for code in fitting if (code[1].kind in matrix_kinds()) == (fitting[0][1].kind in matrix_kinds())
    ]
    confidence = _DECODED if len(rivals) == 1 else _ONE_OF_SEVERAL
    return _finding(int(text) if query.type is FieldType.NUMBER else text, confidence, fitting[0])


def _payment(query: FieldQuery, code: Code, payment: Payment) -> Finding | None:
    answer = payment_value(query)
    if answer is None:
        return None
    value: Any = getattr(payment, answer[0])
    if value is None or (query.type is FieldType.CHOICE and value not in query.field.options):
        return None
    if query.type is FieldType.TEXT and not isinstance(value, str):
        return None  # A code states a date or an amount as data; a text field asks for what the page prints.
    return _finding(value.isoformat() if isinstance(value, date) else value, answer[1], code)


def _finding(value: Any, confidence: float, code: Code) -> Finding:
    return Finding(value, confidence, (_place(code),), code[1].text, "structured")


def _place(code: Code) -> Location:
    return Location(code[0], code[1].box, code[1].text)
