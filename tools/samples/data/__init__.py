"""All samples: their data, layout and file name."""

from __future__ import annotations

from collections.abc import Callable

from tools.samples.data import invoices_de as de
from tools.samples.data import invoices_en as en
from tools.samples.data import invoices_es as es
from tools.samples.data import invoices_fr as fr
from tools.samples.data import orders, receipts, statements
from tools.samples.imaging import photo, scan_jpeg, scan_pdf, scan_tiff
from tools.samples.invoice import Invoice
from tools.samples.layouts.banner import banner
from tools.samples.layouts.boxed_totals import boxed_totals
from tools.samples.layouts.ledger import ledger
from tools.samples.layouts.letterhead import letterhead
from tools.samples.layouts.order_form import order_form
from tools.samples.layouts.plain_text import plain_text
from tools.samples.layouts.ruled_grid import ruled_grid
from tools.samples.layouts.thermal import thermal
from tools.samples.layouts.two_column import two_column
from tools.samples.order import Order
from tools.samples.receipt import Receipt
from tools.samples.sample import Draft, Kind
from tools.samples.sheet import A4, LETTER
from tools.samples.statement import Statement


def _invoice(
    id: str,
    file: str,
    data: Invoice,
    layout: Callable[[Invoice], bytes],
    notes: str,
    kind: Kind = "digital",
    shipped: bool = False,
) -> Draft:
    language = data.locale.language
    return Draft(id, "invoice", file, language, notes, lambda: layout(data), data.truth(), kind, shipped)


def _receipt(
    id: str,
    file: str,
    data: Receipt,
    notes: str,
    kind: Kind = "digital",
    shipped: bool = False,
    through: Callable[[bytes], bytes] = bytes,
) -> Draft:
    def render() -> bytes:
        return through(thermal(data))

    return Draft(id, "receipt", file, data.locale.language, notes, render, data.truth(), kind, shipped)


def _order(
    id: str, file: str, data: Order, notes: str, render: Callable[[], bytes], shipped: bool = False
) -> Draft:
    language = data.locale.language
    return Draft(id, "purchase_order", file, language, notes, render, data.truth(), "digital", shipped)


def _statement(id: str, file: str, data: Statement, notes: str, shipped: bool = False) -> Draft:
    def render() -> bytes:
        return ledger(data, LETTER if data.currency == "USD" else A4)

    language = data.locale.language
    return Draft(id, "bank_statement", file, language, notes, render, data.truth(), "digital", shipped)


def _grid_a4(invoice: Invoice) -> bytes:
    return ruled_grid(invoice, A4)


def _invoices() -> list[Draft]:
    return [
        _invoice("inv-de-tools", "Rechnung RE-2024-0815.pdf", de.TOOLS, letterhead,
                 "letterhead, wrapped descriptions", shipped=True),
        _invoice("inv-de-stationery", "2024103377.pdf", de.STATIONERY, letterhead,
                 "three pages, table over page breaks, sums carried forward", shipped=True),
        _invoice("inv-de-design", "Lenz_2024-031.pdf", de.DESIGN, two_column, "no tax, only a total"),
        _invoice("inv-de-farm", "Rechnung 24-0466.pdf", de.FARM, boxed_totals, "two tax rates"),
        _invoice("inv-de-gauges", "IM-10472.pdf", de.GAUGES, _grid_a4, "ruled grid"),
        _invoice("inv-de-credit", "Gutschrift GS-2024-0092.pdf", de.CREDIT, letterhead,
                 "credit note with positive amounts"),
        _invoice("inv-de-scan", "Scan_20240502.pdf", de.SPARE_PARTS, lambda i: scan_pdf(letterhead(i)),
                 "page image turned by 1.5 degrees, no text layer", "scan"),
        _invoice("inv-ch-vibration", "R-240611.pdf", de.SWISS, banner, "Swiss francs, apostrophes"),
        _invoice("inv-us-supply", "CR-58213.pdf", en.SUPPLY, ruled_grid,
                 "month first, ship-to beside bill-to", shipped=True),
        _invoice("inv-us-software", "Invoice INV-002941.pdf", en.SOFTWARE, banner,
                 "no tax, unit price with three decimals"),
        _invoice("inv-us-hosting", "BH-20240917.txt", en.HOSTING, plain_text, "plain text", "text"),
        _invoice("inv-gb-studio", "HF1187.pdf", en.STUDIO, two_column, "borderless, right-aligned facts"),
        _invoice("inv-gb-building", "40097712.pdf", en.BUILDING, _grid_a4, "ruled grid over a page break"),
        _invoice("inv-gb-scan", "img_0098150.tiff", en.COUNTER_SALE, lambda i: scan_tiff(_grid_a4(i)),
                 "black and white TIFF of a copier", "scan"),
        _invoice("inv-gb-credit", "Credit note HFC0042.pdf", en.CREDIT, two_column,
                 "credit note with negative amounts"),
        _invoice("inv-ie-freight", "GFL-2024-1766.pdf", en.FREIGHT, boxed_totals,
                 "euro in English notation, a description with its own line break"),
        _invoice("inv-fr-workshop", "Facture F2024-0317.pdf", fr.WORKSHOP, boxed_totals,
                 "total called net à payer", shipped=True),
        _invoice("inv-fr-paper", "240588.pdf", fr.PAPER, boxed_totals, "two pages"),
        _invoice("inv-fr-energy", "BES-88140-24.pdf", fr.ENERGY, two_column, "long dates"),
        _invoice("inv-fr-credit", "Avoir AV-24-0061.pdf", fr.CREDIT, _grid_a4,
                 "credit note with negative quantities"),
        _invoice("inv-fr-photo", "IMG_4471.jpg", fr.CHAIRS, lambda i: photo(boxed_totals(i)),
                 "photo at an angle, uneven light", "photo"),
        _invoice("inv-es-supplies", "A-24-1093.pdf", es.SUPPLIES, _grid_a4, "ruled grid"),
        _invoice("inv-es-architect", "2024-017 Garrido.pdf", es.ARCHITECT, letterhead, "long dates"),
        _invoice("inv-es-oil", "OJ-2024-0285.pdf", es.OIL, banner, "two tax rates"),
    ]  # fmt: skip


def _others() -> list[Draft]:
    return [
        _receipt("rec-de-market", "bon-004417.pdf", receipts.MARKET, "two tax rates with a table of sums",
                 shipped=True),
        _receipt("rec-de-hardware", "Beleg_2-88315.jpg", receipts.HARDWARE, "scanned, slightly askew", "scan",
                 True, scan_jpeg),
        _receipt("rec-us-diner", "sunny-side-10577.pdf", receipts.DINER, "tax added to the sum"),
        _receipt("rec-gb-bookshop", "IMG_2093.jpg", receipts.BOOKSHOP, "photo at an angle", "photo",
                 through=photo),
        _receipt("rec-fr-pharmacy", "ticket T0091846.pdf", receipts.PHARMACY, "columns, tax included"),
        _receipt("rec-es-cafe", "S-004298.pdf", receipts.CAFE, "factura simplificada"),
        _order("po-de-machine", "Bestellung 45-008120.pdf", orders.MACHINE, "three columns of facts",
               lambda: order_form(orders.MACHINE), True),
        _order("po-us-outfitter", "PO-4500881.pdf", orders.OUTFITTER, "ruled table, no tax",
               lambda: order_form(orders.OUTFITTER, LETTER, True)),
        _order("po-fr-hotel", "BC-1317.pdf", orders.HOTEL, "two pages", lambda: order_form(orders.HOTEL)),
        _order("po-gb-site", "OH-7741.pdf", orders.SITE, "months as three letters",
               lambda: order_form(orders.SITE)),
        _statement("bank-de-hamburg", "Kontoauszug 2024-07.pdf", statements.HAMBURG,
                   "one signed column, bookings over two lines", True),
        _statement("bank-gb-bath", "statement-118.pdf", statements.BATH,
                   "three pages, running balance, debit and credit columns"),
        _statement("bank-us-omaha", "estmt-2024-10.pdf", statements.OMAHA, "no IBAN"),
        _statement("bank-fr-lyon", "releve-2024-03.pdf", statements.LYON,
                   "overdrawn at the beginning, rows without a year"),
        _statement("bank-es-turia", "extracto-enero.pdf", statements.TURIA, "signed amount and balance"),
    ]  # fmt: skip


def drafts() -> list[Draft]:
    """Every sample, in a fixed order."""
    return [*_invoices(), *_others()]
