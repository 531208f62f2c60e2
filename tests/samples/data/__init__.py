"""All the samples: which data stands in which layout, and under which file name."""

from __future__ import annotations

from collections.abc import Callable

from tests.samples.data import invoices_de, invoices_en
from tests.samples.invoice import Invoice
from tests.samples.layouts.banner import banner
from tests.samples.layouts.boxed_totals import boxed_totals
from tests.samples.layouts.letterhead import letterhead
from tests.samples.layouts.plain_text import plain_text
from tests.samples.layouts.ruled_grid import ruled_grid
from tests.samples.layouts.two_column import two_column
from tests.samples.sample import Draft, Kind
from tests.samples.sheet import A4


def _invoice(
    id: str,
    file: str,
    invoice: Invoice,
    layout: Callable[[Invoice], bytes],
    notes: str,
    kind: Kind = "digital",
    shipped: bool = False,
) -> Draft:
    language = invoice.locale.language
    return Draft(
        id, "invoice", file, language, notes, lambda: layout(invoice), invoice.truth(), kind, shipped
    )


def _invoices() -> list[Draft]:
    de, en = invoices_de, invoices_en
    return [
        _invoice("inv-de-tools", "Rechnung RE-2024-0815.pdf", de.TOOLS, letterhead,
                 "letterhead, wrapped descriptions", shipped=True),
        _invoice("inv-de-stationery", "2024103377.pdf", de.STATIONERY, letterhead,
                 "three pages, table over page breaks, sums carried forward", shipped=True),
        _invoice("inv-de-design", "Lenz_2024-031.pdf", de.DESIGN, two_column,
                 "no tax, long dates, only a total"),
        _invoice("inv-de-farm", "Rechnung 24-0466.pdf", de.FARM, boxed_totals,
                 "two tax rates, rate in each row"),
        _invoice("inv-de-gauges", "IM-10472.pdf", de.GAUGES, lambda i: ruled_grid(i, A4), "ruled grid"),
        _invoice("inv-de-credit", "Gutschrift GS-2024-0092.pdf", de.CREDIT, letterhead,
                 "credit note with positive amounts"),
        _invoice("inv-ch-vibration", "R-240611.pdf", de.SWISS, banner, "Swiss francs, apostrophes"),
        _invoice("inv-us-supply", "CR-58213.pdf", en.SUPPLY, ruled_grid,
                 "month first, ship-to beside bill-to", shipped=True),
        _invoice("inv-us-software", "Invoice INV-002941.pdf", en.SOFTWARE, banner,
                 "no tax, unit price with three decimals"),
        _invoice("inv-gb-studio", "HF1187.pdf", en.STUDIO, two_column, "borderless, right-aligned facts"),
        _invoice("inv-gb-building", "40097712.pdf", en.BUILDING, lambda i: ruled_grid(i, A4),
                 "two pages, ruled grid over a page break"),
        _invoice("inv-ie-freight", "GFL-2024-1766.pdf", en.FREIGHT, boxed_totals,
                 "euro in English notation, a description with its own line break"),
        _invoice("inv-gb-credit", "Credit note HFC0042.pdf", en.CREDIT, two_column,
                 "credit note with negative amounts"),
        _invoice("inv-us-hosting", "BH-20240917.txt", en.HOSTING, plain_text, "plain text", "text"),
    ]  # fmt: skip


def drafts() -> list[Draft]:
    """Every sample, in a fixed order."""
    return _invoices()
