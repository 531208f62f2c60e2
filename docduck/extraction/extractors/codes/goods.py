"""What GS1 codes, or their text below them, state about goods and shipments."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from docduck.documents.document import Document
from docduck.extraction.extractors.codes.formats.gs1 import gs1_date, gs1_measure, parse_gs1, printed_elements
from docduck.extraction.extractors.codes.formats.gs1_identifiers import identifier_of
from docduck.extraction.extractors.codes.statement import Statement
from docduck.extraction.result import Location

_CODED, _PRINTED = 0.97, 0.9
_TEXTS = {
    "00": "sscc", "01": "gtin", "02": "content_gtin", "10": "batch", "21": "serial", "400": "order",
    "401": "consignment", "402": "shipment", "403": "route", "410": "ship_to", "411": "bill_to",
    "412": "supplier", "413": "ship_for", "414": "location", "420": "postal_code", "241": "customer_part",
}  # fmt: skip
"""The elements of identifiers whose values are texts."""
_COUNTS = {"30": "count", "37": "count"}
_DATES = {
    "11": "production_date", "13": "packaging_date", "15": "best_before", "16": "sell_by",
    "17": "expiry_date",
}  # fmt: skip
_MEASURES = {"310": "net_weight", "320": "net_weight_lb", "330": "gross_weight", "340": "gross_weight_lb"}


def goods_statements(document: Document, today: date) -> Iterator[Statement]:
    """Yield what the codes of a document state, or without one what is printed in their form.

    Nothing is stated about an element for which there are several values.
    """
    found = list(_coded(document))
    sure = _CODED if found else _PRINTED
    stated: dict[str, list[Statement]] = {}
    for code, value, place in found or _printed(document):
        name, meant = _meaning(code, value, today)
        if meant is not None:
            stated.setdefault(name, []).append(Statement(f"goods_{name}", meant, place, sure, sure))
    for some in stated.values():
        if len({statement.value for statement in some}) == 1:
            yield some[0]


def _coded(document: Document) -> Iterator[tuple[str, str, Location]]:
    for page in document.pages:
        for code in page.barcodes:
            if elements := parse_gs1(code.text):
                for name, value in elements.values:
                    yield name, value, Location(page.number, code.box, code.text)


def _printed(document: Document) -> Iterator[tuple[str, str, Location]]:
    """Yield the elements of lines that begin with one, if one of a line has a check digit."""
    for page in document.pages:
        for line in page.lines:
            if not line.words or line.words[0].text[:1] != "(":
                continue
            elements = list(printed_elements(line.text))
            known = [identifier_of(code) for code, _ in elements]
            if any(identifier and identifier.checked for identifier in known):
                place = Location(page.number, line.box, line.text)
                yield from ((code, value, place) for code, value in elements)


def _meaning(code: str, value: str, today: date) -> tuple[str, str | float | date | None]:
    """Return the element of an identifier, "" for none, and what its value means."""
    if name := _TEXTS.get(code):
        return name, value
    if name := _COUNTS.get(code):
        return name, float(int(value))
    if name := _DATES.get(code):
        return name, gs1_date(value, today)
    if name := _MEASURES.get(code[:3]):
        return name, gs1_measure(code, value)
    return "", None
