"""Synthetic letters with letterheads of every kind, to tell sender and recipient apart.

``python -m tools.training.letterheads FOLDER`` writes some of them as cases of ``docduck evaluate``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

from docduck.documents.document import Document
from tools.training.typesetting import Sheet, as_pdf, document

Align = Literal["left", "centre", "right"]
Place = Literal["head", "return line", "footer"]

_SENDERS = (
    "Brick & Sons", "Studio Nordlicht", "Ateliers Morel", "Meadow Bakery", "Juniper", "Maria Keller",
    "THE LANTERN", "Harbour Dental Group", "Old Mill Garden Centre", "Kanzlei Weber",
)  # fmt: skip
_RECIPIENTS = (
    "Duck Trading Ltd.", "Fjord Kaffee GmbH", "Rhône SARL", "Kessler Maschinenbau AG", "Tideway Seafood Ltd",
    "Oakdale Homes plc", "Talleres Horizonte S.A.", "Pennine Supplies Limited", "Blue Heron LLC",
)  # fmt: skip
_FORMS = ("Ltd", "GmbH", "Inc.", "S.r.l.", "B.V.")
_STREETS = (
    "14 Calvert Avenue",
    "Speicherstraße 4",
    "2410 Harbor Avenue",
    "9 Station Road",
    "Lange Reihe 88",
    "27 Pond Lane",
)
_TOWNS = ("London E2 7JP", "20457 Hamburg", "Seattle, WA 98126", "Bath BA1 5EX", "69002 Lyon", "Leeds")
_LEFT, _RIGHT = 56.0, 539.0


@dataclass(frozen=True, slots=True)
class Letterhead:
    """How a sender is printed.

    ``size`` is that of the name, in multiples of the text's. ``address`` is whether the address is below the
    name, ``form`` and ``recipient_form`` whether sender and recipient have a legal form.
    """

    place: Place
    size: float
    align: Align
    address: bool
    form: bool
    recipient_form: bool

    @property
    def kind(self) -> str:
        """The name of this kind, without what varies within it."""
        large = "large" if self.size > 1.5 else "small"
        form = "form" if self.form else "no form"
        return f"{self.place}, {large}, {form}" if self.place == "head" else f"{self.place}, {form}"


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter with the names that its sender and its recipient have."""

    letterhead: Letterhead
    document: Document
    sender: str
    recipient: str


def letterheads() -> Iterator[Letterhead]:
    """Yield every kind of letterhead."""
    for form in (False, True):
        for recipient_form in (False, True):
            for align in ("left", "centre", "right"):
                for address in (False, True):
                    for size in (1.0, 1.3, 1.8, 2.6):
                        yield Letterhead("head", size, align, address, form, recipient_form)
                yield Letterhead("return line", 1.0, align, False, form, recipient_form)
            yield Letterhead("footer", 1.0, "left", True, form, recipient_form)


def letters(seed: int) -> Iterator[Letter]:
    """Yield a letter for every kind of letterhead; their names, addresses and forms vary with ``seed``."""
    for number, head in enumerate(letterheads()):
        yield _letter(head, Random(seed * 1000 + number))


def _letter(head: Letterhead, r: Random) -> Letter:
    sheet = Sheet(Random(r.random()), size=r.choice((8.5, 9.5, 10.5)))
    sender, other = r.sample(_SENDERS, 2)
    recipient = r.choice(_RECIPIENTS) if head.recipient_form else other
    sender += f" {r.choice(_FORMS)}" if head.form else ""
    addresses = r.sample(range(len(_STREETS)), 2)
    mine, theirs = ((_STREETS[address], _TOWNS[address]) for address in addresses)
    host = "".join(c for c in sender.split()[0].casefold() if c.isascii() and c.isalpha()) or "office"
    step = 1.45 * sheet.size
    y = _head(sheet, head, sender, mine, r)
    if head.place == "return line":
        sheet.put(_LEFT, 125, f"{sender} · {mine[0]} · {mine[1]}", 7)
        y = 118
    y = max(y + r.choice((1.5, 3)) * step, 140 if r.random() < 0.5 else 0)
    x = _LEFT if head.align != "left" or r.random() < 0.8 else 330
    if heading := r.choice(("", "", "", "Bill to", "Invoice to:", "Rechnung an")):
        sheet.put(x, y, heading)
        y += step
    person = [f"{r.choice(('Attn.', 'z. Hd.'))} {r.choice(('Ann Miller', 'Jo Brandt'))}"]
    for line in (recipient, *(person if r.random() < 0.15 else ()), *theirs):
        sheet.put(x, y, line)
        y += step
    y += 2 * step
    sheet.put(_LEFT, y, f"{r.choice(('Invoice', 'INVOICE', 'Rechnung'))}", r.choice((1.0, 1.6)) * sheet.size)
    y += 2 * step
    facts = (
        ("Invoice Number:", str(r.randrange(1000, 99999))),
        ("Date:", "2024-03-18"),
        ("Due:", "2024-04-17"),
    )
    for label, value in facts:
        sheet.put(_LEFT, y, label)
        sheet.put(_LEFT + 130, y, value)
        y += step
    y += step
    if r.random() < 0.4:
        sheet.put(_LEFT, y, f"Dear {r.choice(('Sir or Madam', 'customer', 'Ms Miller'))},")
        sheet.put(_LEFT, y + 1.5 * step, "thank you for your order. We charge as follows.")
        y += 4 * step
    for text, amount in (
        ("Description", "Amount"),
        ("Bricks", "120.00"),
        ("Delivery", "30.00"),
        ("Total", "150.00"),
    ):
        sheet.put(_LEFT, y, text)
        sheet.end(_RIGHT, y, amount)
        y += 1.5 * step
    foot = ["IBAN DE02120300000000202051", f"office@{host}.example"]
    if head.place == "footer" or r.random() < 0.4:
        foot = [sender, *mine, *foot]
    elif r.random() < 0.5:
        foot = []
    for number, line in enumerate(foot):
        sheet.put(_LEFT, 770 + 10 * number, line, 7)
    return Letter(head, document(sheet), sender, recipient)


def _head(sheet: Sheet, head: Letterhead, sender: str, address: tuple[str, str], r: Random) -> float:
    """Print the head of the letter, empty space where a picture would be; return where it ends."""
    y = r.choice((24.0, 40.0, 60.0))
    if head.place != "head":
        return 90.0
    lines = [(sender, head.size * sheet.size)]
    if head.address:
        lines += [(line, sheet.size) for line in address]
    elif r.random() < 0.3:
        lines.append(
            (r.choice(("Quality since 1921", "Building your future", "www.example.com")), sheet.size)
        )
    for line, size in lines:
        width = sheet.text_width(line, size)
        x = {"left": _LEFT, "centre": (sheet.width - width) / 2, "right": _RIGHT - width}[head.align]
        sheet.put(x, y, line, size)
        y += 1.45 * size
    return y


def write_cases(folder: Path, seeds: Iterable[int]) -> None:
    """Write letters as PDFs with their values, a suite of ``docduck evaluate``."""
    fields = [{"name": name, "type": "text"} for name in ("Vendor Name", "Customer Name")]
    for seed in seeds:
        for number, letter in enumerate(letters(seed)):
            case = folder / "letterheads" / f"{seed}-{number:03d}"
            case.mkdir(parents=True)
            (case / "document.pdf").write_bytes(as_pdf(letter.document.pages[0]))
            (case / "schema.json").write_text(json.dumps({"name": "letter", "fields": fields}))
            truth = {"Vendor Name": letter.sender, "Customer Name": letter.recipient}
            (case / "truth.json").write_text(json.dumps(truth))


if __name__ == "__main__":
    write_cases(Path(sys.argv[1]), range(901, 904))
