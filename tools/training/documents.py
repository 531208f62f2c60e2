"""Synthetic documents with their true values: receipts, invoices and orders."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from docduck.documents.document import Document
from tools.training.senders import Sender
from tools.training.typesetting import Sheet, document

CENT = Decimal("0.01")
_ITEMS = (
    "Coffee", "Paper A4", "Screws M4", "Consulting", "Bread", "Cable 2m", "Toner", "Noodles", "Spot 30s",
    "Hosting", "Lamp", "Tea", "Brackets", "Repair", "License",
)  # fmt: skip
_RATES = (5, 6, 7, 10, 19, 20, 21, 23)
_PROSE = (
    "Goods once sold are not returnable. Please keep this document for your records.",
    "Late payments are charged a fee of 40.00 after 30 days from the date of this document.",
    "Thank you and come again. All prices are subject to change without notice.",
)


@dataclass(slots=True)
class SyntheticDocument:
    """A synthetic document; ``truth`` holds ISO dates, amounts and numbers by concept."""

    document: Document
    truth: dict[str, Any]
    sender: int


@dataclass(slots=True)
class _Sums:
    """The items and totals of a document."""

    items: list[tuple[str, int, Decimal, Decimal]]
    rate: int
    included: bool
    net: Decimal = Decimal(0)
    tax: Decimal = Decimal(0)
    gross: Decimal = Decimal(0)
    discount: Decimal = Decimal(0)
    truth: dict[str, Any] = field(default_factory=dict)


def synthetic_documents(seed: int, count: int) -> list[SyntheticDocument]:
    """Return ``count`` documents of the sender ``seed``."""
    sender = Sender(seed)
    kind = sender.random.choice((receipt, receipt, invoice, invoice, invoice, order))
    return [kind(sender, Random(seed * 1000 + index), seed) for index in range(count)]


def _sums(sender: Sender, r: Random, most: int) -> _Sums:
    items = []
    for _ in range(r.randint(1, most)):
        price = Decimal(r.randint(50, 20000)) / 100
        quantity = r.choice((1, 1, 1, 2, 3, 5, 10))
        items.append((r.choice(_ITEMS), quantity, price, price * quantity))
    sums = _Sums(items, sender.random.choice(_RATES), sender.language == "en" and r.random() < 0.5)
    total = sum((line for *_, line in items), Decimal(0))
    if r.random() < 0.2:
        sums.discount = (total / 10).quantize(CENT)
    total -= sums.discount
    if sums.included:
        sums.gross = total
        sums.net = (total * 100 / (100 + sums.rate)).quantize(CENT)
    else:
        sums.net = total
        sums.gross = (total * (100 + sums.rate) / 100).quantize(CENT)
    sums.tax = sums.gross - sums.net
    return sums


def _sheet(sender: Sender, r: Random, width: float, height: float) -> Sheet:
    return Sheet(Random(r.random()), width, height, sender.size, sender.noise, sender.ocr)


def _day(r: Random) -> date:
    return date(2013, 1, 1) + timedelta(r.randrange(4600))


def _pairs(sender: Sender, sheet: Sheet, x: float, y: float, pairs: list[tuple[str, str]]) -> float:
    """Print labels and values in the sender's layout from (x, y); return the end of the last row."""
    step = sheet.size * 1.5
    if sender.placing in ("above", "grid"):
        per_row = 2 if sender.placing == "above" else 3
        column = (sheet.width - x - 30) / per_row
        for at in range(0, len(pairs), per_row):
            for index, (label, value) in enumerate(pairs[at : at + per_row]):
                sheet.put(x + index * column, y, label)
                sheet.put(x + index * column, y + step, value)
            y += 2.4 * step
        return y
    for label, value in pairs:
        end = sheet.put(x, y, f"{label}{sender.colon}")
        sheet.put(x + 0.3 * sheet.width if sender.placing == "column" else end + 0.4 * sheet.size, y, value)
        y += step
    return y


def _totals(sender: Sender, sheet: Sheet, y: float, rows: list[tuple[str, str]], x: float) -> float:
    for label, value in rows:
        sheet.put(x, y, f"{label}{sender.colon}")
        sheet.end(sheet.width - 0.08 * sheet.width, y, value)
        y += 1.5 * sheet.size
    return y


def _letterhead(sender: Sender, sheet: Sheet) -> float:
    x, y = 0.08 * sheet.width, 30.0
    for line in (sender.company, sender.street, sender.town):
        sheet.put(x, y, line, sheet.size * (1.4 if line is sender.company else 1.0))
        y += 1.6 * sheet.size
    return y


def receipt(sender: Sender, r: Random, seed: int) -> SyntheticDocument:
    """Return a till receipt with typical lines around the total."""
    style = Random(seed + 1)
    sums, day = _sums(sender, r, 7), _day(r)
    sheet = _sheet(sender, r, 300, 700)
    truth: dict[str, Any] = {"invoice_date": day.isoformat()}
    y = _letterhead(sender, sheet)
    if style.random() < 0.6:
        sheet.put(24, y, f"{sender.label('phone')}: 03-{r.randrange(1000, 9999)} {r.randrange(1000, 9999)}")
        y += 1.6 * sheet.size
    number, pairs = sender.number(r), []
    time = f"{r.randrange(8, 22):02d}:{r.randrange(60):02d}"
    stamped = sender.day(day) + (f" {time}" if style.random() < 0.6 else "")
    if style.random() < 0.75:
        pairs.append((sender.label("invoice_number"), number))
        truth["invoice_number"] = number
    pairs.append((sender.label("invoice_date") if style.random() < 0.7 else "", stamped))
    style.shuffle(pairs)
    for label, value in pairs:
        sheet.put(24, y, f"{label}{sender.colon if label else ''} {value}")
        y += 1.6 * sheet.size
    y += sheet.size
    heads = style.random()
    if heads < 0.4:
        sheet.put(24, y, "Item  Qty")
        sheet.end(276, y, style.choice(("Total", "Amount", "Amt", "Price")))
        y += 1.6 * sheet.size
    for name, quantity, price, line in sums.items:
        if style.random() < 0.5:
            sheet.put(24, y, f"{quantity} x {name}")
        else:
            sheet.put(24, y, name)
            y += 1.4 * sheet.size
            sheet.put(40, y, f"{quantity} x {sender.amount(price, True)}")
        sheet.end(276, y, sender.amount(line, True))
        y += 1.5 * sheet.size
    y = _till_totals(sender, sheet, y + 0.6 * sheet.size, sums, style, r, truth)
    sheet.put(24, y + 10, r.choice(_PROSE))
    return SyntheticDocument(document(sheet), truth, seed)


def _till_totals(
    sender: Sender, sheet: Sheet, y: float, sums: _Sums, style: Random, r: Random, truth: dict[str, Any]
) -> float:
    rows: list[tuple[str, str]] = []
    total = sums.gross
    if style.random() < 0.3:
        rows.append((style.choice(("Total Qty", "No. of items", "Item count")), str(len(sums.items))))
    if style.random() < 0.5:
        shown = sums.net if not sums.included else sums.gross + sums.discount
        rows.append((sender.label("lines_total" if sums.included else "net_total"), sender.amount(shown)))
        if not sums.included:
            truth["net_total"] = sums.net
    if sums.discount:
        rows.append((sender.label("discount"), sender.amount(-sums.discount)))
    if not sums.included or style.random() < 0.4:
        rows.append((f"{sender.label('tax_total')} {sums.rate}%", sender.amount(sums.tax)))
        truth["tax_total"] = sums.tax
    if style.random() < 0.25:
        rounded = (total * 20).quantize(Decimal(1)) / 20
        if style.random() < 0.5:
            rows.append((sender.label("grand_total"), sender.amount(total)))
        rows.append((sender.label("rounding"), sender.amount(rounded - total)))
        total = rounded.quantize(CENT)
    rows.append((sender.label("grand_total"), sender.amount(total)))
    truth["grand_total"] = truth["amount_due"] = total
    if style.random() < 0.6:
        paid = total if r.random() < 0.3 else (total / 10).quantize(Decimal(1)) * 10 + 10
        paid = paid if paid >= total else total
        rows.append((sender.label("amount_paid"), sender.amount(paid)))
        if paid > total or style.random() < 0.5:
            rows.append((sender.label("change"), sender.amount(paid - total)))
    y = _totals(sender, sheet, y, rows, 24)
    if style.random() < 0.35:
        y += sheet.size
        sheet.put(24, y, style.choice(("Tax Summary", "GST Summary", "VAT")))
        sheet.end(190, y, "Net")
        sheet.end(276, y, "Tax")
        sheet.put(24, y + 1.5 * sheet.size, f"S @ {sums.rate}%")
        sheet.end(190, y + 1.5 * sheet.size, sender.amount(sums.net, True))
        sheet.end(276, y + 1.5 * sheet.size, sender.amount(sums.tax, True))
        y += 3 * sheet.size
    if style.random() < 0.2:
        sheet.put(24, y, f"You saved {sender.amount(Decimal(r.randrange(10, 900)) / 100)}")
        y += 1.5 * sheet.size
    return y


def _facts(
    sender: Sender, r: Random, style: Random, day: date, about: str
) -> tuple[list[Any], dict[str, Any], str]:
    """Return the labelled facts of a document's head, their truth, and the title if it holds number and date.

    ``about`` names the document's own number and date.
    """
    facts: dict[str, tuple[str, Any]] = {}
    number, dates = f"{about}_number", {f"{about}_date": 0}
    facts[number] = (sender.number(r),) * 2
    for concept, days in (("due_date", 30), ("order_date", -9), ("delivery_date", 4), ("statement_date", 2)):
        if style.random() < 0.4 and concept not in dates:
            dates[concept] = days + r.randrange(0, 5)
    for concept, days in dates.items():
        value = day + timedelta(days)
        facts[concept] = (sender.day(value), value.isoformat())
    for concept in (
        "order_number",
        "customer_number",
        "contract_number",
        "delivery_number",
        "project_number",
    ):
        if style.random() < 0.35 and concept != number:
            facts[concept] = (sender.number(r),) * 2
    if style.random() < (0.9 if about == "contract" else 0.2):
        start, end = day + timedelta(r.randrange(3, 20)), day + timedelta(r.randrange(21, 60))
        joined = style.choice((" - ", " to ", " – ", "-"))
        facts["period"] = (f"{sender.day(start)}{joined}{sender.day(end)}", None)
    titled = style.random() < 0.25
    hidden = {"period", number, f"{about}_date"} if titled else {"period"}
    pairs = [
        (sender.label(concept), printed) for concept, (printed, _) in facts.items() if concept not in hidden
    ]
    truth = {concept: value for concept, (_, value) in facts.items() if concept != "period"}
    if "period" in facts:
        pairs.append((style.choice(_PERIODS.get(sender.language, _PERIODS["en"])), facts["period"][0]))
        truth["period_start"], truth["period_end"] = start.isoformat(), end.isoformat()
    style.shuffle(pairs)
    title = f"{facts[number][0]} {_OF[sender.language]} {facts[f'{about}_date'][0]}"
    return pairs, truth, title if titled else ""


_OF = {
    "en": "dated",
    "de": "vom",
    "fr": "du",
    "es": "del",
    "it": "del",
    "nl": "van",
    "pt": "de",
    "pl": "z dnia",
}
_PERIODS = {
    "en": ("Flight Dates", "Period", "Service Period", "Schedule Dates", "Contract Dates", "Billing Period"),
    "de": ("Leistungszeitraum", "Zeitraum", "Abrechnungszeitraum"),
    "fr": ("Période", "Période de facturation"),
    "es": ("Periodo", "Periodo de facturación"), "it": ("Periodo",), "nl": ("Periode",), "pt": ("Período",),
    "pl": ("Okres",),
}  # fmt: skip


def invoice(sender: Sender, r: Random, seed: int, about: str = "invoice") -> SyntheticDocument:
    """Return an invoice: facts, items, totals, and the sender's numbers in the footer."""
    style = Random(seed + 1)
    sums, day = _sums(sender, r, 9), _day(r)
    first = _sheet(sender, r, 595, 842)
    y = _letterhead(sender, first)
    side = style.random() < 0.5 and sender.placing in ("colon", "column")
    pairs, truth, title = _facts(sender, r, style, day, about)
    if style.random() < 0.5:
        first.put(400 if not side else 48, y, "Harbour & Sons")
        first.put(400 if not side else 48, y + 1.5 * first.size, "12 Mill Lane, 40210 Weston")
    y = _pairs(sender, first, 330 if side else 48, 40 if side else y + 20, pairs) + 16
    if title:
        first.put(48, y, f"{sender.label(about + '_number')} {title}", first.size * style.uniform(1.0, 1.6))
        y += 2.5 * first.size
    runs = style.random() < (0.5 if about == "contract" else 0.12)
    sheets = [first]
    sheet = first
    columns = (48, 330, 410, 540)
    for x, head in zip(
        columns, ("Description", "Qty", "Price", style.choice(("Amount", "Total"))), strict=True
    ):
        (sheet.put if x == 48 else sheet.end)(x, y, head)
    for name, quantity, price, line in sums.items:
        y += 1.7 * sheet.size
        sheet.put(48, y, name)
        sheet.end(330, y, str(quantity))
        sheet.end(410, y, sender.amount(price, True))
        sheet.end(540, y, sender.amount(line, style.random() < 0.7))
        if runs:
            y += 1.3 * sheet.size
            start = day + timedelta(r.randrange(3, 20))
            sheet.put(60, y, f"{sender.day(start)} - {sender.day(start + timedelta(r.randrange(1, 20)))}")
    y += 3 * sheet.size
    if style.random() < 0.12:
        sheet = _sheet(sender, r, 595, 842)
        sheets.append(sheet)
        y = 60.0
    y = _invoice_totals(sender, sheet, y, sums, style, r, truth)
    sheet.put(48, y + 20, r.choice(_PROSE))
    if style.random() < 0.25:
        earlier = sender.day(day - timedelta(r.randrange(20, 400)))
        reference = f"{sender.label('invoice_number')} {sender.number(r)} {_OF[sender.language]} {earlier}"
        sheet.put(48, y + 20 + 2 * sheet.size, f"{style.choice(('', 'Ref:', 'See'))} {reference}")
    _footer(sender, sheets[0], r, style)
    return SyntheticDocument(document(*sheets), truth, seed)


def _invoice_totals(
    sender: Sender, sheet: Sheet, y: float, sums: _Sums, style: Random, r: Random, truth: dict[str, Any]
) -> float:
    rows: list[tuple[str, str]] = []
    lines = sum((line for *_, line in sums.items), Decimal(0))
    if sums.discount:
        rows.append((sender.label("lines_total"), sender.amount(lines)))
        rows.append((sender.label("discount"), sender.amount(-sums.discount)))
    parts = [("net_total", sums.net), ("tax_total", sums.tax), ("grand_total", sums.gross)]
    truth.update(parts)
    if style.random() < 0.15:
        truth.pop("net_total"), truth.pop("tax_total")
        parts = parts[2:]
    if style.random() < 0.15 and len(parts) == 3:
        for index, (concept, value) in enumerate(parts):
            sheet.end(300 + 115 * index, y, sender.label(concept))
            sheet.end(300 + 115 * index, y + 1.5 * sheet.size, sender.amount(value))
        truth["amount_due"] = sums.gross
        return y + 4 * sheet.size
    for concept, value in parts:
        rate = f" {sums.rate}%" if concept == "tax_total" else ""
        rows.append((sender.label(concept) + rate, sender.amount(value)))
    paid = (sums.gross / 4).quantize(CENT) if style.random() < 0.25 else Decimal(0)
    truth["amount_due"] = sums.gross - paid
    if paid:
        rows.append((sender.label("amount_paid"), sender.amount(paid)))
    if paid or style.random() < 0.2:
        rows.append((sender.label("amount_due"), sender.amount(sums.gross - paid)))
    return _totals(sender, sheet, y, rows, style.choice((300, 360, 400)))


def _footer(sender: Sender, sheet: Sheet, r: Random, style: Random) -> None:
    lines = [
        (sender.label("phone"), f"+49 {r.randrange(30, 900)} {r.randrange(100000, 9999999)}"),
        (sender.label("registration_number"), str(r.randrange(10000, 99999999))),
        (sender.label("account_number"), str(r.randrange(10**7, 10**9))),
        (
            sender.label("tax_number"),
            f"{r.randrange(10, 99)}/{r.randrange(100, 999)}/{r.randrange(10000, 99999)}",
        ),
    ]
    y = sheet.height - 50
    for index, (label, value) in enumerate(style.sample(lines, style.randint(1, 4))):
        sheet.put(48 + 260 * (index % 2), y + 1.5 * sheet.size * (index // 2), f"{label}: {value}")


def order(sender: Sender, r: Random, seed: int) -> SyntheticDocument:
    """Return an order, or a contract for a period."""
    return invoice(sender, r, seed, "order" if Random(seed + 2).random() < 0.5 else "contract")
