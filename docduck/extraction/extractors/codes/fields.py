"""Which fields a code on the page can answer, and so whether to look for codes at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Literal

from docduck.extraction.fields.field_query import query_of
from docduck.extraction.lexicon import entries
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
"""The value of a payment code that answers a concept, and how surely it is the one that is meant."""


def _forms(names: Iterable[str]) -> frozenset[str]:
    return frozenset(key(str(name)) for name in names)


@cache
def _codes() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    data: dict[str, Any] = entries("codes")["codes"]
    return {name: (_forms(entry["names"]), frozenset(entry["kinds"])) for name, entry in data.items()}


@cache
def _only_paid() -> dict[str, frozenset[str]]:
    data = entries("codes")
    return {name: _forms(data[name]) for name in ("remittance", "creditor", "debtor")}


def code_kinds(field: Field) -> frozenset[str] | None:
    """The symbologies that a field asks for whose value is a code's text, empty for any; else None."""
    if field.type not in (FieldType.TEXT, FieldType.LIST, FieldType.NUMBER):
        return None
    names = _forms([field.name, *field.labels])
    for forms, kinds in _codes().values():
        if names & forms or any(form in name for form in forms if len(form) >= _LONG for name in names):
            return kinds
    return None


@cache
def matrix_kinds() -> frozenset[str]:
    """The symbologies that are no bars; a field for a barcode rather means one that is."""
    return frozenset().union(*(_codes()[name][1] for name in ("qr", "datamatrix", "pdf417")))


def payment_value(field: Field) -> tuple[str, float] | None:
    """The attribute of a payment that answers a field, with the confidence that it does."""
    names = _forms([field.name, *field.labels])
    for value, forms in _only_paid().items():
        if names & forms and field.type is FieldType.TEXT:
            return value, 0.95
    if field.type in (FieldType.TABLE, FieldType.LIST, FieldType.BOOLEAN):
        return None
    concept = query_of(field).concept
    return PAYMENT_VALUES.get(concept.name) if concept else None


def barcodes_wanted(fields: Sequence[Field]) -> Literal["none", "pictures", "all"]:
    """On which pages codes are worth looking for (``ReadOptions.barcodes``).

    Everywhere when a field asks for a code itself; on scans when one asks for what payment codes state,
    as on other pages the text layer says it as well.
    """
    some = [field for field in fields if field.extract]
    if any(code_kinds(field) is not None for field in some):
        return "all"
    return "pictures" if any(payment_value(field) for field in some) else "none"
