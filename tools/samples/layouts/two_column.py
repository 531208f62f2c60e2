"""Layout without boxes: the customer on the left, labelled facts on the right."""

from __future__ import annotations

from tools.samples.invoice import Invoice
from tools.samples.layouts.letterhead import columns
from tools.samples.party import grouped
from tools.samples.sheet import A4, Sheet, TableStyle, compose, table, wrap

LEFT, RIGHT = 56.0, 540.0


def two_column(invoice: Invoice, size: tuple[float, float] = A4) -> bytes:
    """Draw an invoice with its parties in two columns."""
    theme, issuer, words = invoice.theme, invoice.issuer, invoice.words
    bottom = size[1] - 90

    def furniture(sheet: Sheet) -> None:
        foot = "   ·   ".join(part for part in (issuer.register, issuer.web) if part)
        sheet.text(LEFT, size[1] - 40, foot, theme.regular, 7.5, color="#777777")
        page = words["page"].format(page=sheet.page, pages=sheet.pages)
        sheet.text(RIGHT, size[1] - 40, page, theme.regular, 7.5, "right", "#777777")

    def draw(sheet: Sheet) -> None:
        sheet.begin(lambda: furniture(sheet))
        sheet.disc(LEFT + 11, 56, 11, theme.accent)
        sheet.disc(LEFT + 19, 56, 7, "#ffffff")
        sheet.text(LEFT + 34, 61, issuer.name, theme.bold, 14)
        address = [*issuer.address, issuer.phone, issuer.email]
        if issuer.tax_id:
            address.append(f"{words['tax_id']} {issuer.tax_id}")
        sheet.lines(
            RIGHT, 52, [line for line in address if line], theme.regular, 8.5, 11.5, "right", "#444444"
        )
        sheet.text(LEFT, 160, invoice.title, theme.regular, 26, color=theme.accent)
        sheet.text(LEFT, 192, words["customer"], theme.bold, 9, color=theme.accent)
        sheet.lines(LEFT, 207, [invoice.receiver.name, *invoice.receiver.address], theme.regular, 10, 13.5)
        y = 192.0
        for label, value in invoice.facts("number", "date", "due", "customer_number", "order", "terms"):
            sheet.text(330, y, label, theme.regular, 9, color="#666666")
            sheet.text(RIGHT, y, value, theme.regular, 9.5, "right")
            y += 15
        y = max(y, 275) + 12
        if invoice.intro:
            width = RIGHT - LEFT
            y = (
                sheet.lines(LEFT, y, wrap(invoice.intro, theme.regular, 9.5, width), theme.regular, 9.5, 13)
                + 4
            )
        style = TableStyle(theme.regular, theme.bold, 9.3, gap=5, padding=2, head_rule=theme.accent)
        y = table(sheet, LEFT, y, columns(invoice, RIGHT - LEFT), invoice.rows(), style, bottom, 60)
        if y + 140 > bottom:
            sheet.next_page()
            y = 60
        sheet.rule(LEFT, y + 4, RIGHT, y + 4, 0.8, theme.accent)
        y += 24
        sums = list(invoice.totals())
        for label, value in sums:
            font = theme.bold if label == sums[-1][0] else theme.regular
            size_ = 11.5 if label == sums[-1][0] else 9.5
            sheet.text(400, y, label, font, size_, "right")
            sheet.text(RIGHT - 2, y, value, font, size_, "right")
            y += 17
        y += 16
        pay = []
        if issuer.iban:
            pay = [issuer.bank, f"IBAN  {grouped(issuer.iban)}", f"BIC  {issuer.bic}"]
        y = sheet.lines(LEFT, y, pay, theme.regular, 9, 13)
        sheet.lines(LEFT, y + 6, wrap(invoice.closing, theme.italic, 9, 420), theme.italic, 9, 12.5)

    return compose(draw, size, f"{invoice.title} {invoice.number}", issuer.name)
