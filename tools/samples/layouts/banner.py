"""Layout of online invoicing: a coloured band, a grey box of facts, striped rows."""

from __future__ import annotations

from tools.samples.invoice import Invoice
from tools.samples.layouts.letterhead import columns
from tools.samples.party import grouped
from tools.samples.sheet import A4, Sheet, TableStyle, compose, table, wrap

LEFT, RIGHT = 48.0, 547.0


def banner(invoice: Invoice) -> bytes:
    """Draw an invoice with a coloured banner at its top."""
    theme, issuer, words = invoice.theme, invoice.issuer, invoice.words

    def furniture(sheet: Sheet) -> None:
        sheet.frame(0, 0, sheet.width, 74 if sheet.page == 1 else 24, None, theme.accent)
        sheet.rule(LEFT, 800, RIGHT, 800, 0.4, "#bbbbbb")
        foot = "  ·  ".join(part for part in (issuer.register, issuer.email, issuer.web) if part)
        sheet.text(LEFT, 813, foot, theme.regular, 7, color="#666666")
        page = words["page"].format(page=sheet.page, pages=sheet.pages)
        sheet.text(RIGHT, 813, page, theme.regular, 7, "right", "#666666")

    def draw(sheet: Sheet) -> None:
        sheet.begin(lambda: furniture(sheet))
        sheet.text(LEFT, 47, issuer.name, theme.bold, 16, color="#ffffff")
        sheet.text(RIGHT, 47, invoice.title, theme.regular, 16, "right", "#ffffff")
        own = [*issuer.address, issuer.phone]
        if issuer.tax_id:
            own.append(f"{words['tax_id']}: {issuer.tax_id}")
        sheet.lines(LEFT, 94, [line for line in own if line], theme.regular, 8, 11.5, color="#444444")
        sheet.text(LEFT, 168, words["customer"], theme.bold, 8.5, color=theme.accent)
        sheet.lines(LEFT, 183, [invoice.receiver.name, *invoice.receiver.address], theme.regular, 9.5, 13.5)
        facts = invoice.facts("number", "date", "due", "order", "customer_number", "terms")
        sheet.frame(300, 94, RIGHT - 300, 18 + 17 * len(facts), None, "#f0f1f4")
        y = 112.0
        for label, value in facts:
            sheet.text(312, y, label, theme.regular, 8.3, color="#555555")
            sheet.text(RIGHT - 12, y, value, theme.bold, 8.3, "right")
            y += 17
        y = max(y + 16, 244)
        style = TableStyle(
            theme.regular, theme.bold, 8.3, 6, 5, theme.accent, "#ffffff", None, zebra="#f4f5f8"
        )
        y = table(sheet, LEFT, y, columns(invoice, RIGHT - LEFT), invoice.rows(), style, 770, 50)
        sums = list(invoice.totals())
        if y + 24 * len(sums) + 90 > 770:
            sheet.next_page()
            y = 50
        y += 20
        for label, value in sums[:-1]:
            sheet.text(340, y, label, theme.regular, 9)
            sheet.text(RIGHT - 8, y, value, theme.regular, 9, "right")
            y += 17
        sheet.frame(330, y - 6, RIGHT - 330, 24, None, theme.accent)
        sheet.text(340, y + 10, sums[-1][0], theme.bold, 10, color="#ffffff")
        sheet.text(RIGHT - 8, y + 10, sums[-1][1], theme.bold, 10, "right", "#ffffff")
        y += 44
        if issuer.iban:
            sheet.text(LEFT, y, f"IBAN: {grouped(issuer.iban)}   BIC: {issuer.bic}", theme.regular, 8.5)
            y += 16
        sheet.lines(LEFT, y, wrap(invoice.closing, theme.regular, 8.5, 470), theme.regular, 8.5, 12.5)

    return compose(draw, A4, f"{invoice.title} {invoice.number}", issuer.name)
