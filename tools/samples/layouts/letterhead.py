"""A German business letter (DIN 5008): address window, information block, bank details in the footer."""

from __future__ import annotations

from tools.samples.invoice import Invoice
from tools.samples.party import grouped
from tools.samples.priced import Priced
from tools.samples.sheet import A4, Column, Sheet, TableStyle, compose, table, text_width, wrap

LEFT, RIGHT = 70.0, 540.0
BOTTOM = 735.0
WIDTHS = {
    "position": 30.0,
    "item": 64.0,
    "quantity": 46.0,
    "unit": 44.0,
    "unit_price": 66.0,
    "tax_rate": 46.0,
    "amount": 70.0,
}
NUMERIC = {"quantity", "unit_price", "tax_rate", "amount"}


def columns(document: Priced, width: float) -> list[Column]:
    """Return the table's columns; the description takes the remaining width."""
    rest = width - sum(WIDTHS[key] for key in document.columns if key != "description")
    return [
        Column(
            key,
            document.words[f"col_{key}"],
            WIDTHS.get(key, rest),
            "right" if key in NUMERIC else "left",
        )
        for key in document.columns
    ]


def letterhead(invoice: Invoice) -> bytes:
    """Draw an invoice below a letterhead."""
    theme, issuer, words = invoice.theme, invoice.issuer, invoice.words

    def head(sheet: Sheet) -> None:
        sheet.polygon([(RIGHT - 30, 38), (RIGHT, 38), (RIGHT, 68)], theme.accent)
        sheet.polygon([(RIGHT - 34, 42), (RIGHT - 34, 72), (RIGHT - 4, 72)], "#9aa7b5")
        sheet.text(LEFT, 58, issuer.name, theme.bold, 17, color=theme.accent)
        if issuer.web:
            sheet.text(LEFT, 74, issuer.web, theme.regular, 8.5, color="#666666")

    def foot(sheet: Sheet) -> None:
        sheet.rule(LEFT, 762, RIGHT, 762, 0.5, "#888888")
        blocks = [
            [issuer.name, *issuer.address],
            [f"{words['phone']} {issuer.phone}", issuer.email, issuer.web],
            [issuer.bank, f"IBAN {grouped(issuer.iban)}", f"BIC {issuer.bic}"] if issuer.iban else [],
            [issuer.register, issuer.manager, f"{words['tax_id']} {issuer.tax_id}" if issuer.tax_id else ""],
        ]
        printed = [[line for line in block if line] for block in blocks]
        widths = [
            max((text_width(line, theme.regular, 6.6) for line in block), default=0) for block in printed
        ]
        x, gap = LEFT, (RIGHT - LEFT - sum(widths)) / (len(blocks) - 1)
        for block, width in zip(printed, widths, strict=True):
            sheet.lines(x, 774, block, theme.regular, 6.6, 9, color="#444444")
            x += width + gap
        page = words["page"].format(page=sheet.page, pages=sheet.pages)
        sheet.text(RIGHT, 752, page, theme.regular, 7.5, "right", "#444444")

    def furniture(sheet: Sheet) -> None:
        head(sheet)
        foot(sheet)

    def draw(sheet: Sheet) -> None:
        sheet.begin(lambda: furniture(sheet))
        sender = " · ".join((issuer.name, *issuer.address))
        sheet.text(LEFT, 136, sender, theme.regular, 6.8, color="#444444")
        sheet.rule(LEFT, 139, 320, 139, 0.3, "#888888")
        sheet.lines(LEFT, 156, [invoice.receiver.name, *invoice.receiver.address], theme.regular, 10.5, 13.5)
        y = 140.0
        for label, value in invoice.facts("number", "date", "customer_number", "order", "due"):
            sheet.text(340, y, label, theme.regular, 9, color="#333333")
            sheet.text(434, y, value, theme.regular, 9)
            y += 13
        sheet.text(LEFT, 276, f"{invoice.title} {invoice.number}", theme.bold, 14)
        y = sheet.lines(
            LEFT, 300, wrap(invoice.intro, theme.regular, 9.5, RIGHT - LEFT), theme.regular, 9.5, 13
        )
        style = TableStyle(theme.regular, theme.bold, 9, gap=3.2, head_rule=theme.accent, row_rule="#cccccc")
        y = table(
            sheet,
            LEFT,
            y + 2,
            columns(invoice, RIGHT - LEFT),
            invoice.rows(),
            style,
            BOTTOM,
            110,
            invoice.carried if invoice.carry else None,
        )
        totals = list(invoice.totals())
        if y + 20 + 15 * len(totals) + 60 > BOTTOM:
            sheet.next_page()
            y = 110
        y += 18
        for label, value in totals[:-1]:
            sheet.text(350, y, label, theme.regular, 9.5)
            sheet.text(RIGHT - 4, y, value, theme.regular, 9.5, "right")
            y += 14
        label, value = totals[-1]
        sheet.rule(350, y - 9, RIGHT, y - 9, 0.8, theme.accent)
        sheet.text(350, y + 3, label, theme.bold, 10.5)
        sheet.text(RIGHT - 4, y + 3, value, theme.bold, 10.5, "right")
        sheet.rule(350, y + 8, RIGHT, y + 8, 0.8, theme.accent)
        y += 36
        if invoice.terms:
            sheet.text(LEFT, y, f"{words['terms']}: {invoice.terms}", theme.regular, 9.5)
            y += 16
        sheet.lines(LEFT, y, wrap(invoice.closing, theme.regular, 9.5, RIGHT - LEFT), theme.regular, 9.5, 13)

    return compose(draw, A4, f"{invoice.title} {invoice.number}", issuer.name)
