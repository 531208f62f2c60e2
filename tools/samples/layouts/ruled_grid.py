"""Layout of accounting programs: everything in ruled boxes."""

from __future__ import annotations

from tools.samples.invoice import Invoice
from tools.samples.layouts.letterhead import columns
from tools.samples.party import grouped
from tools.samples.sheet import LETTER, Sheet, TableStyle, compose, table, text_width, wrap

LEFT = 45.0


def ruled_grid(invoice: Invoice, size: tuple[float, float] = LETTER) -> bytes:
    """Draw an invoice whose lines are in a ruled grid."""
    theme, issuer, words = invoice.theme, invoice.issuer, invoice.words
    right = size[0] - LEFT
    width = right - LEFT

    def furniture(sheet: Sheet) -> None:
        sheet.text(LEFT, 62, issuer.name, theme.bold, 15)
        sheet.text(right, 66, invoice.title, theme.bold, 22, "right", theme.accent)
        page = words["page"].format(page=sheet.page, pages=sheet.pages)
        sheet.text(right, size[1] - 30, page, theme.regular, 8, "right", "#555555")
        if issuer.register:
            sheet.text(LEFT, size[1] - 30, issuer.register, theme.regular, 7.5, color="#555555")

    def contact() -> list[str]:
        ways = [f"{words['phone']} {issuer.phone}", issuer.email]
        return [*issuer.address, "  |  ".join(way for way in ways if way)] + (
            [f"{words['tax_id']} {issuer.tax_id}"] if issuer.tax_id else []
        )

    def box(sheet: Sheet, x: float, y: float, width: float, title: str, lines: list[str]) -> None:
        sheet.frame(x, y, width, 84)
        sheet.frame(x, y, width, 16, "#000000", "#e6e9ee")
        sheet.text(x + 6, y + 11.5, title, theme.bold, 8.5)
        sheet.lines(x + 6, y + 30, lines, theme.regular, 9.5, 12.5)

    def facts(sheet: Sheet, y: float) -> float:
        cells = invoice.facts("number", "date", "customer_number", "order", "terms", "due")
        needs = [
            12 + max(text_width(label, theme.bold, 8), text_width(value, theme.regular, 8.8))
            for label, value in cells
        ]
        spare = (width - sum(needs)) / len(cells)
        x = LEFT
        for (label, value), need in zip(cells, needs, strict=True):
            cell = need + spare
            sheet.frame(x, y, cell, 16, "#000000", "#e6e9ee")
            sheet.text(x + cell / 2, y + 11, label, theme.bold, 8, "centre")
            sheet.frame(x, y + 16, cell, 18)
            sheet.text(x + cell / 2, y + 28.5, value, theme.regular, 8.8, "centre")
            x += cell
        return y + 34

    def totals(sheet: Sheet, y: float) -> float:
        sums = list(invoice.totals())
        x = right - 220
        for label, value in sums:
            last = label == sums[-1][0]
            font = theme.bold if last else theme.regular
            sheet.frame(x, y, 130, 18, "#000000", "#e6e9ee" if last else None)
            sheet.frame(x + 130, y, 90, 18, "#000000", "#e6e9ee" if last else None)
            sheet.text(x + 6, y + 12.5, label, font, 9.5)
            sheet.text(right - 4, y + 12.5, value, font, 9.5, "right")
            y += 18
        return y

    def draw(sheet: Sheet) -> None:
        sheet.begin(lambda: furniture(sheet))
        sheet.lines(LEFT, 77, contact(), theme.regular, 9, 12)
        half = (width - 16) / 2
        box(sheet, LEFT, 140, half, words["customer"], [invoice.receiver.name, *invoice.receiver.address])
        if invoice.ship_to:
            lines = [invoice.ship_to.name, *invoice.ship_to.address]
            box(sheet, LEFT + half + 16, 140, half, words["ship_to"], lines)
        y = facts(sheet, 238)
        style = TableStyle(theme.regular, theme.bold, 9, gap=3.5, head_fill="#e6e9ee", grid="#000000")
        bottom = size[1] - 60
        y = table(
            sheet, LEFT, y + 12, columns(invoice, width), invoice.rows(), style, bottom, 90,
            invoice.carried if invoice.carry else None,
        )  # fmt: skip
        if y + 18 * len(list(invoice.totals())) + 60 > bottom:
            sheet.next_page()
            y = 90
        below = totals(sheet, y)
        notes = wrap(invoice.closing, theme.regular, 8.8, width - 250) if invoice.closing else []
        if issuer.iban:
            notes += [issuer.bank, f"IBAN: {grouped(issuer.iban)}", f"BIC: {issuer.bic}"]
        sheet.lines(
            LEFT, max(y + 16, below - 20) if len(notes) < 3 else y + 16, notes, theme.regular, 8.8, 12
        )

    return compose(draw, size, f"{invoice.title} {invoice.number}", issuer.name)
