"""A purchase order: buyer at the top, supplier and delivery address side by side, a signature."""

from __future__ import annotations

from tools.samples.layouts.letterhead import columns
from tools.samples.order import Order
from tools.samples.sheet import A4, Sheet, TableStyle, compose, table, wrap

LEFT = 54.0


def order_form(order: Order, size: tuple[float, float] = A4, grid: bool = False) -> bytes:
    """Draw a purchase order."""
    theme, issuer, words = order.theme, order.issuer, order.words
    right, bottom = size[0] - LEFT, size[1] - 80

    def furniture(sheet: Sheet) -> None:
        sheet.frame(LEFT, 40, 26, 26, None, theme.accent)
        sheet.frame(LEFT + 7, 47, 12, 12, None, "#ffffff")
        sheet.text(LEFT + 36, 52, issuer.name, theme.bold, 13)
        sheet.text(LEFT + 36, 65, " · ".join(issuer.address), theme.regular, 8.5, color="#444444")
        sheet.text(right, 58, words["purchase_order"], theme.bold, 18, "right", theme.accent)
        sheet.rule(LEFT, 76, right, 76, 1.2, theme.accent)
        page = words["page"].format(page=sheet.page, pages=sheet.pages)
        sheet.text(right, size[1] - 36, page, theme.regular, 7.5, "right", "#555555")
        contact = "   ".join(part for part in (issuer.phone, issuer.email, issuer.tax_id) if part)
        sheet.text(LEFT, size[1] - 36, contact, theme.regular, 7.5, color="#555555")

    def draw(sheet: Sheet) -> None:
        sheet.begin(lambda: furniture(sheet))
        third = (right - LEFT) / 3
        blocks = [(words["supplier"], order.receiver)] + (
            [(words["ship_to"], order.ship_to)] if order.ship_to else []
        )
        for index, (title, party) in enumerate(blocks):
            x = LEFT + index * third
            sheet.text(x, 102, title, theme.bold, 8.5, color=theme.accent)
            lines = [
                line
                for text in (party.name, *party.address)
                for line in wrap(text, theme.regular, 9.3, third - 12)
            ]
            sheet.lines(x, 117, lines, theme.regular, 9.3, 12.5)
        y = 102.0
        for label, value in order.facts():
            sheet.text(LEFT + 2 * third + 4, y, label, theme.regular, 8.5, color="#444444")
            sheet.text(right, y, value, theme.bold, 8.5, "right")
            y += 14
        style = TableStyle(
            theme.regular,
            theme.bold,
            8.8,
            gap=4,
            head_fill="#e9edf2",
            head_rule=theme.accent,
            row_rule=None if grid else "#d5d9df",
            grid="#888888" if grid else None,
        )
        y = table(
            sheet, LEFT, max(y + 14, 190), columns(order, right - LEFT), order.rows(), style, bottom, 100
        )
        totals = list(order.totals())
        if y + 18 * len(totals) + 70 > bottom:
            sheet.next_page()
            y = 100
        y += 18
        for label, value in totals:
            font = theme.bold if label == totals[-1][0] else theme.regular
            sheet.text(right - 100, y, label, font, 9.5, "right")
            sheet.text(right - 4, y, value, font, 9.5, "right")
            y += 16
        y = sheet.lines(
            LEFT, y + 12, wrap(order.closing, theme.regular, 8.8, right - LEFT), theme.regular, 8.8, 12
        )
        sheet.rule(LEFT, y + 34, LEFT + 170, y + 34, 0.6, "#444444")
        sheet.text(LEFT, y + 45, issuer.manager, theme.regular, 8, color="#444444")

    return compose(draw, size, f"{words['purchase_order']} {order.number}", issuer.name)
