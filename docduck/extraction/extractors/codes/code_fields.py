"""The fields that codes on the pages can answer, and whether to look for codes at all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal

from docduck.extraction.extractors.codes.elements import elements_of
from docduck.extraction.fields.field_query import FieldQuery, query_of
from docduck.extraction.lexicon import entries, word_set
from docduck.extraction.normal_text import key
from docduck.fields import Field, FieldType

_LONG = 6
"""A name this long is found inside a longer one as well ("Barcode on label")."""

PAYMENT_VALUES = {
    "iban": ("iban", 0.99),
    "bic": ("bic", 0.99),
    "amount_due": ("amount", 0.97),
    "grand_total": ("amount", 0.94),
    "currency": ("currency", 0.98),
    "payment_reference": ("reference", 0.99),
    "payee": ("creditor", 0.95),
    "seller_name": ("creditor", 0.85),
    "invoice_number": ("invoice_number", 0.97),
    "invoice_date": ("invoice_date", 0.97),
    "due_date": ("due", 0.97),
}
"""For each concept the value of a payment code that answers it, with the confidence that it is meant."""
_ONLY_PAID = ("remittance", "creditor_address", "debtor_address", "creditor", "debtor")
"""Values of payment codes that no concept means; the lexicon lists what fields for them are called."""
_ONLY_PAID_CONFIDENCE = 0.95


@cache
def _codes() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Return the names of each kind of code in normal form, with its symbologies."""
    return {
        name: (frozenset(key(str(spelling)) for spelling in entry["names"]), frozenset(entry["kinds"]))
        for name, entry in entries("codes")["codes"].items()
    }


def code_kinds(query: FieldQuery) -> frozenset[str] | None:
    """Return the symbologies of the codes whose text a field asks for, empty for any; None for no code."""
    if query.type not in (FieldType.TEXT, FieldType.LIST, FieldType.NUMBER):
        return None
    for forms, kinds in _codes().values():
        long = [form for form in forms if len(form) >= _LONG]
        if query.keys & forms or any(form in name for form in long for name in query.keys):
            return kinds
    return None


@cache
def matrix_kinds() -> frozenset[str]:
    """Return the symbologies that have no bars; a field for a barcode prefers the others."""
    return frozenset().union(*(_codes()[name][1] for name in ("qr", "datamatrix", "pdf417")))


def payment_value(query: FieldQuery) -> tuple[str, float] | None:
    """Return the attribute of a payment that answers a field, with the confidence that it does."""
    for value in _ONLY_PAID:
        if query.keys & word_set(value, "codes") and query.type is FieldType.TEXT:
            return value, _ONLY_PAID_CONFIDENCE
    if query.type in (FieldType.TABLE, FieldType.LIST, FieldType.BOOLEAN) or query.concept is None:
        return None
    return PAYMENT_VALUES.get(query.concept.name)


def barcodes_wanted(fields: Sequence[Field]) -> Literal["none", "pictures", "all"]:
    """Return on which pages to look for codes (``ReadOptions.barcodes``).

    Everywhere when a field asks for a code itself; on scans when one asks for what codes with a
    standard state, as on other pages the text layer says it as well.
    """
    queries = [query_of(field) for field in fields if field.extract]
    if any(code_kinds(query) is not None for query in queries):
        return "all"
    is_stated = any(payment_value(query) or _asks_for_element(query) for query in queries)
    return "pictures" if is_stated else "none"


def _asks_for_element(query: FieldQuery) -> bool:
    return any(is_sure for _, is_sure in elements_of(query))
