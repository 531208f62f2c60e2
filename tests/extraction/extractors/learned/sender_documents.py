"""Documents of senders with labels of their own.

``python -m tests.extraction.extractors.learned.sender_documents CASES`` writes them as evaluation cases, one
suite for each sender. ``docduck evaluate CASES`` and ``docduck evaluate CASES --learn 1`` measure what one
correction teaches.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import dataclass
from datetime import date, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

from pypdfium2 import PdfDocument
from reportlab.pdfgen.canvas import Canvas

from docduck.fields import Field, FieldType

FIELDS = (
    Field(name="Reference", type=FieldType.TEXT),
    Field(name="Issued", type=FieldType.DATE),
    Field(name="Recipient", type=FieldType.TEXT),
    Field(name="Recipient Address", type=FieldType.TEXT),
    Field(name="Deposit", type=FieldType.CURRENCY),
    Field(name="Grand Total", type=FieldType.CURRENCY),
    Field(name="Depot", type=FieldType.CHOICE, options=("North", "South", "East")),
    Field(
        name="Items",
        type=FieldType.TABLE,
        columns=(
            Field(name="Article"),
            Field(name="Quantity", type=FieldType.NUMBER),
            Field(name="Amount", type=FieldType.CURRENCY),
        ),
    ),
)


@dataclass(frozen=True)
class Sender:
    """The layout of a sender: positions and labels of its values."""

    name: str
    words: tuple[str, ...]
    heads: tuple[str, str, str]
    mirrored: bool
    stacked: bool


SENDERS = (
    Sender(
        "Brontal Works",
        ("Zarqo", "Vind", "Plok", "Hulme", "Trask"),
        ("Wibble", "Snarf", "Glorp"),
        False,
        False,
    ),
    Sender("Ostrava Kiln", ("Merk", "Tolva", "Prina", "Ulf", "Saro"), ("Nable", "Quex", "Drim"), True, False),
    Sender("Fenland Mill", ("Irk", "Aldo", "Benth", "Corl", "Dusk"), ("Elva", "Frin", "Gorst"), False, True),
)
_NAMES = ("Ada Quill", "Bertram Oakes", "Clara Munt", "Dorian Pell", "Edda Frost", "Felix Rane")
_STREETS = ("Mill Lane", "Harbour Row", "Long Acre", "Station Road", "King Street")
_TOWNS = ("Ashford", "Brigstow", "Caldmoor", "Dunwich")
_GOODS = ("Copper bolt", "Oak plank", "Glass pane", "Iron hinge", "Slate tile", "Hemp rope")


def paper(sender: Sender, number: int) -> tuple[bytes, dict[str, Any]]:
    """Return a one-page PDF and its values."""
    random_ = random.Random(f"{sender.name} {number}")
    issued = date(2023, 1, 1) + timedelta(days=random_.randrange(700))
    rows = [
        {
            "Article": f"{random_.choice(_GOODS)} {random_.choice('ABCDE')}",
            "Quantity": random_.randint(2, 40),
            "Amount": random_.randint(1000, 90000) / 100,
        }
        for _ in range(random_.randint(2, 6))
    ]
    total = round(sum(float(str(row["Amount"])) for row in rows), 2)
    street = f"{random_.randint(1, 99)} {random_.choice(_STREETS)}"
    town = f"{random_.randint(10000, 99999)} {random_.choice(_TOWNS)}"
    truth: dict[str, Any] = {
        "Reference": f"{random_.choice('KLMN')}{random_.randint(100, 999)}/{random_.randint(10, 99)}",
        "Issued": issued.isoformat(),
        "Recipient": random_.choice(_NAMES),
        "Recipient Address": f"{street}, {town}",
        "Deposit": round(total / 4, 2),
        "Grand Total": total,
        "Depot": random_.choice(("North", "South", "East")),
        "Items": rows,
    }
    target = BytesIO()
    canvas = Canvas(target, pagesize=(595, 842))
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(300 if sender.mirrored else 60, 780, sender.name)
    canvas.setFont("Helvetica", 9)
    canvas.drawString(
        60, 40, f"{sender.name} thanks for all that was ordered and asks to keep this paper well"
    )
    left, right = (330, 60) if sender.mirrored else (60, 330)
    canvas.drawString(left, 720, truth["Recipient"])
    canvas.drawString(left, 708, street)
    canvas.drawString(left, 696, town)
    facts = (truth["Reference"], issued.strftime("%d.%m.%Y"), truth["Depot"])
    for place, (word, value) in enumerate(zip(sender.words[:3], facts, strict=True)):
        if sender.stacked:
            canvas.drawString(right + 75 * place, 720, word)
            canvas.drawString(right + 75 * place, 708, value)
        else:
            canvas.drawString(right, 720 - 14 * place, f"{word}:")
            canvas.drawString(right + 80, 720 - 14 * place, value)
    y = 620.0
    for x, head in zip((60, 330, 480), sender.heads, strict=True):
        canvas.drawString(x, y, head)
    for row in rows:
        y -= 16
        canvas.drawString(60, y, row["Article"])
        canvas.drawString(330, y, str(row["Quantity"]))
        canvas.drawRightString(520, y, f"{row['Amount']:,.2f}")
    for word, amount in zip(sender.words[3:], (truth["Deposit"], total), strict=True):
        y -= 24
        canvas.drawString(380, y, word)
        canvas.drawRightString(520, y, f"{amount:,.2f}")
    canvas.save()
    return target.getvalue(), truth


def covered(sender: Sender, number: int) -> tuple[bytes, dict[str, Any]]:
    """Return the same after a cover sheet with its words and values, each value beside another word."""
    data, truth = paper(sender, number)
    target = BytesIO()
    canvas = Canvas(target, pagesize=(595, 842))
    canvas.setFont("Helvetica", 9)
    canvas.drawString(60, 780, sender.name)
    values = (truth["Depot"], truth["Reference"], date.fromisoformat(truth["Issued"]).strftime("%d.%m.%Y"))
    for place, (word, value) in enumerate(zip(sender.words[:3], values, strict=True)):
        canvas.drawString(330, 720 - 14 * place, f"{word}:")
        canvas.drawString(410, 720 - 14 * place, value)
    for x, head in zip((60, 330, 480), sender.heads, strict=True):
        canvas.drawString(x, 620, head)
    canvas.save()
    both = BytesIO()
    with PdfDocument(target) as cover, PdfDocument(data) as rest:
        cover.import_pages(rest)
        cover.save(both)
    return both.getvalue(), truth


def write_cases(folder: Path, count: int) -> None:
    """Write ``count`` documents per sender as ``<sender>/<number>/{paper.pdf, schema.json, truth.json}``."""
    fields = {"fields": [field.model_dump(mode="json", exclude_defaults=True) for field in FIELDS]}
    for sender in SENDERS:
        for number in range(count):
            data, truth = paper(sender, number)
            case = folder / sender.name / f"{number:02}"
            case.mkdir(parents=True)
            (case / "paper.pdf").write_bytes(data)
            (case / "schema.json").write_text(json.dumps(fields), "utf-8")
            (case / "truth.json").write_text(json.dumps(truth), "utf-8")


if __name__ == "__main__":
    write_cases(Path(sys.argv[1]), 13)
