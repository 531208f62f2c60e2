"""A till receipt on an 80 mm roll, in a monospaced font."""

from __future__ import annotations

from decimal import Decimal

from tools.samples.receipt import Item, Receipt
from tools.samples.sheet import MONO, Sheet, compose

WIDTH = 226.0
LEFT, RIGHT = 14.0, 212.0
SIZE = 7.6
LEADING = 10.6


def thermal(receipt: Receipt) -> bytes:
    """Draw a receipt as a thermal printer does."""
    locale, labels = receipt.locale, receipt.labels
    regular, bold, _ = MONO

    class Roll:
        """Writes line after line down the paper."""

        def __init__(self, sheet: Sheet) -> None:
            self.sheet = sheet
            self.y = 30.0

        def pair(self, left: str, right: str, font: str = regular, size: float = SIZE) -> None:
            self.sheet.text(LEFT, self.y, left, font, size)
            self.sheet.text(RIGHT, self.y, right, font, size, "right")
            self.y += LEADING * size / SIZE

        def centre(self, text: str, font: str = regular, size: float = SIZE) -> None:
            self.sheet.text(WIDTH / 2, self.y, text, font, size, "centre")
            self.y += LEADING * size / SIZE

        def dashes(self) -> None:
            self.sheet.text(LEFT, self.y, "-" * 43, regular, SIZE)
            self.y += LEADING

        def columns(self, texts: tuple[str, ...], font: str = regular) -> None:
            for text, x in zip(texts, (LEFT, 128.0, 168.0, RIGHT), strict=True):
                self.sheet.text(x, self.y, text, font, SIZE, "left" if x == LEFT else "right")
            self.y += LEADING

    def below(roll: Roll, item: Item) -> None:
        roll.pair(item.description, f"{locale.number(Decimal(item.amount))} {item.code}".rstrip())
        if item.quantity and item.unit_price:
            quantity = locale.quantity(Decimal(item.quantity))
            roll.pair(f"   {quantity} x {locale.number(Decimal(item.unit_price))}", "")

    def in_columns(roll: Roll, item: Item) -> None:
        quantity = locale.quantity(Decimal(item.quantity)) if item.quantity else ""
        price = locale.number(Decimal(item.unit_price)) if item.unit_price else ""
        roll.columns((item.description, quantity, price, locale.number(Decimal(item.amount))))

    def draw(sheet: Sheet) -> float:
        roll = Roll(sheet)
        roll.centre(receipt.merchant.name, bold, 11)
        for line in receipt.merchant.address:
            roll.centre(line)
        if receipt.merchant.phone:
            roll.centre(f"Tel. {receipt.merchant.phone}")
        if receipt.merchant.tax_id:
            roll.centre(f"{labels['tax_id']}: {receipt.merchant.tax_id}")
        roll.y += 6
        roll.pair(f"{labels['number']} {receipt.number}", "")
        roll.pair(
            f"{labels['date']} {locale.date(receipt.date)}".strip(),
            f"{labels['time']} {receipt.time}".strip(),
        )
        roll.dashes()
        if receipt.style == "columns":
            roll.columns((*receipt.heads,), bold)
        for item in receipt.items:
            (in_columns if receipt.style == "columns" else below)(roll, item)
        roll.dashes()
        if not receipt.tax_included:
            roll.pair(labels["subtotal"], locale.number(receipt.net))
            for _, rate, _, tax, _ in receipt.taxes():
                roll.pair(labels["tax"].format(rate=locale.quantity(rate)), locale.number(tax))
        roll.y += 3
        roll.pair(labels["total"], locale.amount(receipt.total), bold, 11)
        roll.y += 2
        for label, value in receipt.payment:
            roll.pair(label, value)
        if receipt.tax_included:
            roll.dashes()
            taxes = receipt.taxes()
            if len(taxes) > 1:
                roll.columns((labels["rate"], labels["subtotal"], labels["tax"], labels["gross"]))
                for code, rate, net, tax, gross in taxes:
                    numbers = (locale.number(net), locale.number(tax), locale.number(gross))
                    roll.columns((f"{code}  {locale.quantity(rate)}%", *numbers))
                sums = (locale.number(receipt.net), locale.number(receipt.tax), locale.number(receipt.total))
                roll.columns((labels["sum"], *sums))
            else:
                _, rate, net, tax, _ = taxes[0]
                if receipt.show_net:
                    roll.pair(labels["subtotal"], locale.number(net))
                roll.pair(labels["tax"].format(rate=locale.quantity(rate)), locale.number(tax))
        roll.y += 8
        for line in receipt.greeting:
            roll.centre(line)
        return roll.y

    title, author = f"{labels['number']} {receipt.number}", receipt.merchant.name
    ends: list[float] = []
    compose(lambda sheet: ends.append(draw(sheet)), (WIDTH, 2000), title, author)
    return compose(lambda sheet: ends.append(draw(sheet)), (WIDTH, ends[0] + 20), title, author)
