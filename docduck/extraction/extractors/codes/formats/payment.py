"""Payment codes: what a banking app reads from an invoice's QR code.

Sources: EPC069-12 (SEPA credit transfer, ``BCD``), Swiss Implementation Guidelines QR-bill with Swico's
billing information (``SPC``), UPN QR (``UPNQR``), HUB-3 (``HRVHUB30``), Short Payment Descriptor (``SPD``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from docduck.extraction.values.bank import iban_valid

_MOST_LINES = 60


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment as its code states it; what it leaves open is None. ``amount`` is in ``currency``.

    An address is in one line, its parts separated by commas.
    """

    iban: str
    bic: str | None = None
    amount: float | None = None
    currency: str | None = None
    creditor: str | None = None
    creditor_address: str | None = None
    debtor: str | None = None
    debtor_address: str | None = None
    reference: str | None = None
    remittance: str | None = None
    due: date | None = None
    invoice_number: str | None = None
    invoice_date: date | None = None


def parse_payment(text: str) -> Payment | None:
    """Return the payment of a code's text; None if it is no payment code with a valid IBAN."""
    lines = [
        line.strip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:_MOST_LINES]
    ]
    head = lines[0].split("*")[0]
    parser = _PARSERS.get(head)
    if parser is None:
        return None
    payment = parser([*lines, *[""] * _MOST_LINES])
    return payment if payment and iban_valid(payment.iban) else None


def _epc(lines: Sequence[str]) -> Payment | None:
    if lines[3] != "SCT":
        return None
    money = re.fullmatch(r"([A-Z]{3})(\d{1,12}(?:\.\d{1,2})?)", lines[7])
    return Payment(
        iban=_compact(lines[6]),
        bic=lines[4] or None,
        amount=float(money[2]) if money else None,
        currency=money[1] if money else "EUR",
        creditor=lines[5] or None,
        reference=lines[9] or None,
        remittance=lines[10] or None,
    )


def _swiss(lines: Sequence[str]) -> Payment:
    billing = _swico(lines[31])
    invoiced = _day(billing.get("11", ""), "%y%m%d")
    return Payment(
        iban=_compact(lines[3]),
        amount=_decimal(lines[18]),
        currency=lines[19] or None,
        creditor=lines[5] or None,
        creditor_address=_swiss_address(lines[4:11]),
        debtor=lines[21] or None,
        debtor_address=_swiss_address(lines[20:27]),
        reference=_compact(lines[28]) or None,
        remittance=lines[29] or None,
        invoice_number=billing.get("10"),
        invoice_date=invoiced,
        due=_swiss_due(invoiced, billing.get("40", "")),
    )


def _swiss_address(lines: Sequence[str]) -> str | None:
    """Return the address of seven lines: its kind, the name, street, number, postal code, town and country.

    Kind ``S`` has an element a line, ``K`` the street and the town in the first two. The country is left out.
    """
    kind, _, first, second, postal_code, town, _ = lines
    parts = [first, second] if kind == "K" else [f"{first} {second}", f"{postal_code} {town}"]
    return ", ".join(part.strip() for part in parts if part.strip()) or None


def _swiss_due(invoiced: date | None, terms: str) -> date | None:
    """Return the last day of payment by the terms ``2:10;0:30``: discount in percent, and days."""
    for term in terms.split(";"):
        discount, _, days = term.partition(":")
        is_net = re.fullmatch(r"0(\.0{1,2})?", discount) and re.fullmatch("[0-9]{1,3}", days)
        if invoiced is not None and is_net:
            return invoiced + timedelta(days=int(days))
    return None


def _swico(text: str) -> dict[str, str]:
    """Swico's billing information ``//S1/10/INV-7/11/240131``: values by tag; ``\\/`` is a slash itself."""
    if not text.startswith("//S1/"):
        return {}
    parts = [part.replace("\\/", "/") for part in re.split(r"(?<!\\)/", text[5:])]
    return dict(zip(parts[::2], parts[1::2], strict=False))


def _slovene(lines: Sequence[str]) -> Payment:
    cents = lines[8]
    return Payment(
        iban=_compact(lines[14]),
        amount=int(cents) / 100 if cents.isdecimal() and int(cents) else None,
        currency="EUR",
        creditor=lines[16] or None,
        creditor_address=_address(lines[17:19]),
        debtor=lines[5] or None,
        debtor_address=_address(lines[6:8]),
        reference=_compact(lines[15]) or None,
        remittance=lines[12] or None,
        due=_day(lines[13], "%d.%m.%Y"),
    )


def _croatian(lines: Sequence[str]) -> Payment:
    cents = lines[2]
    return Payment(
        iban=_compact(lines[9]),
        amount=int(cents) / 100 if cents.isdecimal() and int(cents) else None,
        currency=lines[1] or None,
        creditor=lines[6] or None,
        creditor_address=_address(lines[7:9]),
        debtor=lines[3] or None,
        debtor_address=_address(lines[4:6]),
        reference=" ".join(part for part in lines[10:12] if part) or None,
        remittance=lines[13] or None,
    )


def _short_descriptor(lines: Sequence[str]) -> Payment:
    values = dict(part.partition(":")[::2] for part in lines[0].split("*")[2:])
    iban, _, bic = values.get("ACC", "").partition("+")
    return Payment(
        iban=_compact(iban),
        bic=bic or None,
        amount=_decimal(values.get("AM", "")),
        currency=values.get("CC") or None,
        creditor=values.get("RN") or None,
        reference=values.get("X-VS") or values.get("RF") or None,
        remittance=values.get("MSG") or None,
        due=_day(values.get("DT", ""), "%Y%m%d"),
    )


_PARSERS: dict[str, Callable[[Sequence[str]], Payment | None]] = {
    "BCD": _epc,
    "SPC": _swiss,
    "UPNQR": _slovene,
    "HRVHUB30": _croatian,
    "SPD": _short_descriptor,
}


def _address(lines: Sequence[str]) -> str | None:
    return ", ".join(filter(None, lines)) or None


def _compact(text: str) -> str:
    return re.sub(r"\s", "", text).upper()


def _decimal(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d{1,12}(\.\d{1,2})?", text) else None


def _day(text: str, form: str) -> date | None:
    try:
        return datetime.strptime(text, form).date()
    except ValueError:
        return None
