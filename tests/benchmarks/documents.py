"""Invoices to measure with: one page each, digital, every one with its own sender, values and rows."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

from tools.samples.data import invoices_de as de
from tools.samples.data import invoices_en as en
from tools.samples.data import invoices_es as es
from tools.samples.data import invoices_fr as fr
from tools.samples.invoice import Invoice
from tools.samples.layouts.banner import banner
from tools.samples.layouts.boxed_totals import boxed_totals
from tools.samples.layouts.letterhead import letterhead
from tools.samples.layouts.ruled_grid import ruled_grid
from tools.samples.layouts.two_column import two_column
from tools.samples.party import Party, iban
from tools.samples.priced import Line

_LAYOUTS: tuple[tuple[Invoice, Callable[[Invoice], bytes]], ...] = (
    (de.TOOLS, letterhead),
    (de.DESIGN, two_column),
    (de.FARM, boxed_totals),
    (de.GAUGES, ruled_grid),
    (de.SWISS, banner),
    (en.SUPPLY, ruled_grid),
    (en.SOFTWARE, banner),
    (en.STUDIO, two_column),
    (en.FREIGHT, boxed_totals),
    (fr.WORKSHOP, boxed_totals),
    (fr.ENERGY, two_column),
    (es.SUPPLIES, ruled_grid),
    (es.ARCHITECT, letterhead),
    (es.OIL, banner),
)
_SYLLABLES = ("al", "ba", "cor", "den", "el", "far", "gal", "hol", "in", "jor", "kel", "lun", "mar", "nor")
_PROCESSES = 2


def write_documents(folder: Path, count: int, first: int = 0) -> list[Path]:
    """Write ``count`` invoices to ``folder``, numbered from ``first``; the same ones for the same numbers."""
    folder.mkdir(parents=True)
    with ProcessPoolExecutor(_PROCESSES) as pool:
        return list(pool.map(partial(_write, folder), range(first, first + count), chunksize=25))


def _write(folder: Path, number: int) -> Path:
    path = folder / f"invoice-{number:05}.pdf"
    path.write_bytes(invoice(number))
    return path


def invoice(number: int) -> bytes:
    """The invoice of this number, as PDF."""
    chance = random.Random(number)
    model, layout = _LAYOUTS[number % len(_LAYOUTS)]
    return layout(
        replace(
            model,
            issuer=_sender(model.issuer, chance),
            number=f"{model.number}-{number}",
            date=model.date + timedelta(days=chance.randrange(300)),
            due=model.due and model.due + timedelta(days=330),
            lines=tuple(_line(line, chance) for line in model.lines),
        )
    )


def _sender(model: Party, chance: random.Random) -> Party:
    word = "".join(chance.sample(_SYLLABLES, 3)).capitalize()
    account = f"{chance.randrange(10**8):08}{chance.randrange(10**10):010}"
    return replace(
        model,
        name=f"{word} {model.name.split()[-1]}",
        address=(f"{model.address[0]} {chance.randrange(1, 200)}", *model.address[1:]),
        email=f"office@{word.lower()}.example",
        web=f"www.{word.lower()}.example",
        iban=model.iban and iban("DE", account),
    )


def _line(model: Line, chance: random.Random) -> Line:
    return replace(
        model,
        quantity=str(chance.randrange(1, 60)),
        unit_price=f"{chance.randrange(100, 40_000) / 100:.2f}",
    )
