"""A bank statement: account facts at the top, a ledger between the old and the new balance."""

from __future__ import annotations

from decimal import Decimal

from tools.samples.party import grouped
from tools.samples.sheet import A4, Column, Sheet, TableStyle, compose, table
from tools.samples.statement import Statement

LEFT = 50.0
WIDTHS = {"date": 64.0, "value_date": 64.0, "debit": 74.0, "credit": 74.0, "amount": 80.0, "balance": 80.0}
NUMERIC = {"debit", "credit", "amount", "balance"}


def ledger(statement: Statement, size: tuple[float, float] = A4) -> bytes:
    """Draw a bank statement as a ledger."""
    theme, labels, locale = statement.theme, statement.labels, statement.locale
    right = size[0] - LEFT
    rest = right - LEFT - sum(WIDTHS[key] for key in statement.columns if key != "description")
    columns = [
        Column(key, labels[key], WIDTHS.get(key, rest), "right" if key in NUMERIC else "left")
        for key in statement.columns
    ]

    def furniture(sheet: Sheet) -> None:
        sheet.disc(LEFT + 9, 46, 9, theme.accent)
        sheet.frame(LEFT + 4, 43, 10, 6, None, "#ffffff")
        sheet.text(LEFT + 26, 51, statement.bank.name, theme.bold, 15, color=theme.accent)
        sheet.text(right, 50, labels["title"], theme.regular, 13, "right")
        sheet.rule(LEFT, 64, right, 64, 0.8, theme.accent)
        sheet.text(LEFT, size[1] - 34, statement.footer, theme.regular, 7, color="#555555")
        page = labels["page"].format(page=sheet.page, pages=sheet.pages)
        sheet.text(right, size[1] - 34, page, theme.regular, 7.5, "right", "#555555")

    def facts() -> list[tuple[str, str]]:
        period = f"{locale.date(statement.start)} {labels['to']} {locale.date(statement.end)}"
        pairs = [
            ("account", statement.account),
            ("iban", grouped(statement.iban) if statement.iban else None),
            ("bic", statement.bic),
            ("number", statement.number),
            ("issued", locale.date(statement.date) if statement.date else None),
            ("period", period),
            ("currency", statement.currency if "currency" in labels else None),
        ]
        return [(labels[key], value) for key, value in pairs if value is not None]

    def draw(sheet: Sheet) -> None:
        sheet.begin(lambda: furniture(sheet))
        sheet.text(LEFT, 96, labels["holder"], theme.regular, 8, color="#555555")
        lines = [statement.holder.name, *statement.holder.address]
        sheet.lines(LEFT, 111, lines, theme.regular, 10, 13.5)
        y = 96.0
        for label, value in facts():
            sheet.text(300, y, label, theme.regular, 8.8, color="#555555")
            sheet.text(right, y, value, theme.regular, 9.2, "right")
            y += 14
        y = max(y, 165) + 18
        sheet.frame(LEFT, y - 13, right - LEFT, 20, None, "#eef1f5")
        sheet.text(LEFT + 4, y, labels["opening"], theme.bold, 9.5)
        sheet.text(right - 4, y, locale.amount(Decimal(statement.opening)), theme.bold, 9.5, "right")
        style = TableStyle(theme.regular, theme.bold, 8.8, gap=3, head_rule=theme.accent, row_rule="#dddddd")
        y = table(sheet, LEFT, y + 16, columns, statement.rows(), style, size[1] - 90, 90)
        if y + 40 > size[1] - 60:
            sheet.next_page()
            y = 90
        y += 20
        sheet.frame(LEFT, y - 13, right - LEFT, 20, None, "#eef1f5")
        sheet.text(LEFT + 4, y, labels["closing"], theme.bold, 9.5)
        sheet.text(right - 4, y, locale.amount(statement.closing), theme.bold, 9.5, "right")

    return compose(draw, size, labels["title"], statement.bank.name)
