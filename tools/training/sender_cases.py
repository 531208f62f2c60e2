"""Invoices of made-up senders that have parts in common, to see what lessons mend and break.

``python -m tools.training.sender_cases FOLDER`` writes them as cases for ``docduck evaluate --learn 1``: one
suite for each group of senders. The first document of a suite is corrected; the others are of the same sender
(``one-sender``), or of others with the same program, labels and layout (``one-program``), at the same address
besides (``one-landlord``), or with the same bank (``one-bank``). All are addressed to one company.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any, Literal

from docduck.documents.document import Document
from tools.training.senders import Sender
from tools.training.typesetting import Sheet, as_pdf, document

Group = Literal["one-sender", "one-program", "one-landlord", "one-bank"]

GROUPS: Sequence[Group] = ("one-sender", "one-program", "one-landlord", "one-bank")
FIELDS: Sequence[dict[str, Any]] = (
    {"name": "Invoice Number", "type": "text"},
    {"name": "Customer Number", "type": "text"},
    {"name": "Order Number", "type": "text"},
    {"name": "Invoice Date", "type": "date"},
    {"name": "Delivery Date", "type": "date"},
    {"name": "Due Date", "type": "date"},
    {"name": "Vendor Name", "type": "text"},
    {"name": "Customer Name", "type": "text"},
    {"name": "Subtotal", "type": "currency"},
    {"name": "Tax", "type": "currency"},
    {"name": "Total", "type": "currency"},
    {
        "name": "Items",
        "type": "table",
        "columns": [
            {"name": "Description", "type": "text"},
            {"name": "Quantity", "type": "number"},
            {"name": "Amount", "type": "currency"},
        ],
    },
)
_CONCEPTS = {
    "Invoice Number": "invoice_number", "Customer Number": "customer_number", "Order Number": "order_number",
    "Invoice Date": "invoice_date", "Delivery Date": "delivery_date", "Due Date": "due_date",
    "Subtotal": "net_total", "Tax": "tax_total", "Total": "grand_total",
}  # fmt: skip
_FACTS = ("Invoice Number", "Customer Number", "Order Number", "Invoice Date", "Delivery Date", "Due Date")
_MADE_UP = ("Zarqo", "Vind", "Plok", "Hulme", "Trask", "Merk", "Tolva", "Prina", "Ulf", "Saro", "Irk", "Corl")
_ITEMS = ("Copper bolt", "Oak plank", "Glass pane", "Iron hinge", "Slate tile", "Hemp rope", "Tin can")
_CENT = Decimal("0.01")
_NONSENSE, _BARE, _LEFT_OUT = 0.3, 0.12, 0.3
"""Shares of labels that are made up, of facts without a label, and of facts that a document lacks."""
_HEADS = {
    "en": ("Description", "Qty", "Amount"), "de": ("Bezeichnung", "Menge", "Betrag"),
    "fr": ("Désignation", "Quantité", "Montant"), "es": ("Descripción", "Cantidad", "Importe"),
    "it": ("Descrizione", "Quantità", "Importo"), "nl": ("Omschrijving", "Aantal", "Bedrag"),
    "pt": ("Descrição", "Quantidade", "Valor"), "pl": ("Nazwa", "Ilość", "Wartość"),
}  # fmt: skip


@dataclass(frozen=True)
class _Program:
    """What an invoicing program prints in one way for all who use it: labels, order and places."""

    sender: Sender
    labels: dict[str, str]
    order: Sequence[str]
    is_mirrored: bool
    is_addressed_first: bool


@dataclass(frozen=True)
class _Parties:
    """Who sends a document, with address, numbers and bank, and to whom."""

    company: str
    street: str
    town: str
    bank: str
    iban: str
    vat: str
    host: str
    customer: Sequence[str]


def made_up(group: Group, seed: int, number: int) -> tuple[Document, dict[str, Any]]:
    """Return document ``number`` of a group of senders, and its values by field name."""
    program = _program(seed, seed)
    if group == "one-bank" and number:
        program = _program(seed, seed + 1000 * number)
    return _invoice(program, _parties(group, seed, number), Random(f"{group} {seed} {number}"))


def _program(seed: int, style: int) -> _Program:
    sender, r = Sender(seed), Random(f"program {style}")
    words = r.sample(_MADE_UP, len(_CONCEPTS))
    labels = {}
    for word, (name, concept) in zip(words, _CONCEPTS.items(), strict=True):
        drawn = r.random()
        bare = drawn < _BARE and name in _FACTS
        labels[name] = "" if bare else word if drawn < _NONSENSE + _BARE else sender.label(concept)
    order = r.sample(_FACTS, len(_FACTS))
    return _Program(sender, labels, order, r.random() < 0.3, r.random() < 0.3)


def _parties(group: Group, seed: int, number: int) -> _Parties:
    common = Random(f"parties {seed}")
    sender = Sender(seed)
    name, trade = (
        common.choice(("Fjord", "Tideway", "Oakdale", "Pennine")),
        common.choice(("Kaffee", "Homes")),
    )
    customer = (
        f"{name} {trade} AG",
        f"{common.choice(('Mill Lane', 'Speicherstraße', 'Lange Reihe'))} {common.randrange(1, 99)}",
        f"{common.randrange(10000, 99999)} {common.choice(('Weston', 'Hamburg', 'Leeds'))}",
    )
    bank = common.choice(("Harbour Bank", "Nordbank", "Banco Alto", "Crédit Rive"))
    own = sender if group == "one-sender" or not number else Sender(seed + 5000 * number)
    house = sender if group == "one-landlord" else own
    numbers = Random(own.company + own.street)
    host = (
        "".join(c for c in own.company.split()[0].lower() if c.isascii()) + f"{numbers.randrange(99)}.example"
    )
    return _Parties(
        company=own.company,
        street=house.street,
        town=house.town,
        bank=bank if group == "one-bank" else f"{own.company.split()[0]} Bank",
        iban=_iban(numbers),
        vat=f"DE{numbers.randrange(10**8, 10**9)}",
        host=host,
        customer=customer,
    )


def _iban(r: Random) -> str:
    account = f"{r.randrange(10**17, 10**18)}"
    check = 98 - int(f"{account}131400") % 97
    return f"DE{check:02d}{account}"


def _invoice(program: _Program, parties: _Parties, r: Random) -> tuple[Document, dict[str, Any]]:
    sender = program.sender
    sheet = Sheet(r, size=sender.size)
    step = 1.6 * sheet.size
    left, right = (330.0, 56.0) if program.is_mirrored else (56.0, 330.0)
    y = 40.0
    for line in (parties.company, parties.street, parties.town):
        sheet.put(56, y, line, sheet.size * (1.6 if line is parties.company else 1.0))
        y += 1.3 * step
    y = top = 150.0
    for line in parties.customer:
        sheet.put(left, y, line)
        y += step
    values, truth = _facts(sender, r)
    truth |= {"Vendor Name": parties.company, "Customer Name": parties.customer[0]}
    at = top if not program.is_addressed_first else y + step
    for name in program.order:
        if name in values:
            at = _put_fact(sender, sheet, right, at, program.labels[name], values[name])
    y = max(y, at) + 2 * step
    rows, total = _rows(r)
    columns = (56.0, 400.0, 539.0)
    for x, head in zip(columns, _HEADS[sender.language], strict=True):
        (sheet.put if x == columns[0] else sheet.end)(x, y, head)
    for row in rows:
        y += 1.2 * step
        sheet.put(columns[0], y, row["Description"])
        sheet.end(columns[1], y, str(row["Quantity"]))
        sheet.end(columns[2], y, sender.amount(Decimal(str(row["Amount"])), plain=True))
    tax = (total / 5).quantize(_CENT)
    y += 2 * step
    for name, amount in (("Subtotal", total), ("Tax", tax), ("Total", total + tax)):
        if name != "Subtotal" or r.random() > _LEFT_OUT:
            sheet.put(330, y, f"{program.labels[name]}{sender.colon}")
            sheet.end(columns[2], y, sender.amount(amount))
            truth[name] = float(amount)
            y += step
    truth["Items"] = rows
    foot = (
        f"{parties.company} · {parties.street} · {parties.town}",
        f"{parties.bank} · IBAN {parties.iban} · VAT {parties.vat}",
        f"www.{parties.host} · office@{parties.host}",
    )
    for number, line in enumerate(foot):
        sheet.put(56, 770 + 12 * number, line, 7)
    return document(sheet), truth


def _facts(sender: Sender, r: Random) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the facts of a document as they are printed, and as they are."""
    day = date(2024, 1, 1) + timedelta(r.randrange(700))
    days = {"Invoice Date": 0, "Delivery Date": -r.randrange(1, 9), "Due Date": r.choice((14, 30))}
    printed: dict[str, str] = {}
    truth: dict[str, Any] = {}
    for name in _FACTS:
        if name != "Invoice Number" and r.random() < _LEFT_OUT:
            continue
        if name in days:
            moment = day + timedelta(days[name])
            printed[name], truth[name] = sender.day(moment), moment.isoformat()
        else:
            printed[name] = truth[name] = sender.number(r)
    return printed, truth


def _put_fact(sender: Sender, sheet: Sheet, x: float, y: float, label: str, value: str) -> float:
    """Print a fact from (x, y); return where the next one begins."""
    step = 1.6 * sheet.size
    if not label:
        sheet.put(x, y, value)
    elif sender.placing in ("above", "grid"):
        sheet.put(x, y, label)
        sheet.put(x, y + step, value)
        return y + 2.3 * step
    else:
        end = sheet.put(x, y, f"{label}{sender.colon}")
        sheet.put(x + 120 if sender.placing == "column" else end + 0.4 * sheet.size, y, value)
    return y + step


def _rows(r: Random) -> tuple[list[dict[str, Any]], Decimal]:
    rows: list[dict[str, Any]] = []
    total = Decimal(0)
    for _ in range(r.randint(1, 5)):
        amount = Decimal(r.randrange(500, 90000)) / 100
        total += amount
        item = f"{r.choice(_ITEMS)} {r.choice('ABCDE')}"
        rows.append({"Description": item, "Quantity": r.randint(1, 20), "Amount": float(amount)})
    return rows, total


def write_cases(folder: Path, seeds: Sequence[int], count: int) -> None:
    """Write ``count`` documents for each group and each of ``seeds``: a suite."""
    for group in GROUPS:
        for seed in seeds:
            for number in range(count):
                paper, truth = made_up(group, seed, number)
                case = folder / f"{group}-{seed}" / f"{number:02d}"
                case.mkdir(parents=True)
                (case / "document.pdf").write_bytes(as_pdf(paper.pages[0]))
                (case / "schema.json").write_text(json.dumps({"name": "invoice", "fields": FIELDS}))
                (case / "truth.json").write_text(json.dumps(truth))


if __name__ == "__main__":
    write_cases(Path(sys.argv[1]), range(7001, 7011), 6)
