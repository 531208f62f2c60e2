"""Layout of French invoices: ruled columns, totals in a box at the bottom."""

from __future__ import annotations

from tools.samples.invoice import Invoice
from tools.samples.layouts.letterhead import columns
from tools.samples.party import grouped
from tools.samples.sheet import A4, Sheet, TableStyle, compose, table, wrap

LEFT, RIGHT = 40.0, 555.0
FOOT = 655.0


def boxed_totals(invoice: Invoice) -> bytes:
    """Draw an invoice whose totals are in a box."""
    theme, issuer, words = invoice.theme, invoice.issuer, invoice.words
    cols = columns(invoice, RIGHT - LEFT)

    def furniture(sheet: Sheet) -> None:
        sheet.text(LEFT, 55, issuer.name, theme.bold, 15, color=theme.accent)
        contact = [*issuer.address, f"{words['phone']} {issuer.phone}", issuer.email]
        sheet.lines(LEFT, 70, [line for line in contact if line], theme.regular, 8.8, 11.5)
        legal = [issuer.register]
        if issuer.tax_id:
            legal.append(f"{words['tax_id']} {issuer.tax_id}")
        sheet.text(
            297, 815, "  –  ".join(part for part in legal if part), theme.regular, 7.2, "centre", "#555555"
        )
        page = words["page"].format(page=sheet.page, pages=sheet.pages)
        sheet.text(RIGHT, 815, page, theme.regular, 7.5, "right", "#555555")

    def column_rules(sheet: Sheet, y0: float, y1: float) -> None:
        x = LEFT
        for column in cols:
            sheet.rule(x, y0, x, y1, 0.5, "#555555")
            x += column.width
        sheet.rule(RIGHT, y0, RIGHT, y1, 0.5, "#555555")
        sheet.rule(LEFT, y1, RIGHT, y1, 0.5, "#555555")

    def draw(sheet: Sheet) -> None:
        first = True

        def page() -> None:
            furniture(sheet)
            if not first:
                column_rules(sheet, 150, FOOT)

        sheet.begin(page)
        first = False
        sheet.frame(310, 78, RIGHT - 310, 78, "#555555")
        sheet.text(318, 91, words["customer"], theme.italic, 8, color="#555555")
        sheet.lines(318, 106, [invoice.receiver.name, *invoice.receiver.address], theme.regular, 10, 13)
        sheet.text(LEFT, 158, invoice.title, theme.bold, 18, color=theme.accent)
        facts = invoice.facts("number", "date", "customer_number", "order", "due")
        cell = (RIGHT - LEFT) / len(facts)
        for index, (label, value) in enumerate(facts):
            x = LEFT + index * cell
            sheet.frame(x, 176, cell, 32, "#555555")
            sheet.text(x + 5, 187, label, theme.regular, 7.5, color="#555555")
            sheet.text(x + 5, 201, value, theme.bold, 9)
        style = TableStyle(theme.regular, theme.bold, 9, gap=3, head_fill="#dfe6ee", head_rule="#555555")
        column_rules(sheet, 224, FOOT)
        table(
            sheet, LEFT, 224, cols, invoice.rows(), style, FOOT - 6, 150,
            invoice.carried if invoice.carry else None,
        )  # fmt: skip
        sums = list(invoice.totals())
        height = 17.0 * len(sums) + 6
        sheet.frame(375, FOOT + 10, RIGHT - 375, height, "#555555", "#f2f5f8")
        y = FOOT + 25
        for label, value in sums:
            font = theme.bold if label == sums[-1][0] else theme.regular
            sheet.text(383, y, label, font, 10)
            sheet.text(RIGHT - 6, y, value, font, 10, "right")
            y += 17
        notes = [f"{words['terms']} : {invoice.terms}"] if invoice.terms else []
        if issuer.iban:
            notes += [f"{issuer.bank}", f"IBAN : {grouped(issuer.iban)}", f"BIC : {issuer.bic}"]
        y = sheet.lines(LEFT, FOOT + 24, notes, theme.regular, 8.8, 12.5)
        sheet.lines(LEFT, y + 4, wrap(invoice.closing, theme.regular, 7.5, 320), theme.regular, 7.5, 9.5)

    return compose(draw, A4, f"{invoice.title} {invoice.number}", issuer.name)
