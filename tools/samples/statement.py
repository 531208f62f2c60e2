"""A bank statement and its balances."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tools.samples.formats import Locale
from tools.samples.party import Party
from tools.samples.sheet import Theme

COLUMNS = {
    "date": "Date",
    "value_date": "Value Date",
    "description": "Description",
    "debit": "Debit",
    "credit": "Credit",
    "amount": "Amount",
    "balance": "Balance",
}


@dataclass(frozen=True)
class Entry:
    """A booking; ``amount`` as text, negative when money goes out."""

    date: datetime.date
    description: str
    amount: str
    value_date: datetime.date | None = None


@dataclass(frozen=True)
class Statement:
    """A bank statement. What is None is not printed; ``columns`` are those of the table.

    ``labels`` are the sender's words; ``row_date`` writes the dates of rows, where it differs.
    """

    bank: Party
    holder: Party
    iban: str | None
    bic: str | None
    account: str | None
    number: str | None
    date: datetime.date | None
    start: datetime.date
    end: datetime.date
    currency: str
    locale: Locale
    row_locale: Locale
    labels: dict[str, str]
    opening: str
    entries: tuple[Entry, ...]
    columns: tuple[str, ...]
    footer: str = ""
    theme: Theme = field(default_factory=Theme)

    def balances(self) -> list[Decimal]:
        """The balance after each entry."""
        balance = Decimal(self.opening)
        sums = []
        for entry in self.entries:
            balance += Decimal(entry.amount)
            sums.append(balance)
        return sums

    @property
    def closing(self) -> Decimal:
        return self.balances()[-1]

    def rows(self) -> list[dict[str, str]]:
        """The printed cells of the table."""
        rows = []
        for entry, balance in zip(self.entries, self.balances(), strict=True):
            amount = Decimal(entry.amount)
            rows.append(
                {
                    "date": self.row_locale.date(entry.date),
                    "value_date": self.row_locale.date(entry.value_date) if entry.value_date else "",
                    "description": entry.description,
                    "debit": self.locale.number(-amount) if amount < 0 else "",
                    "credit": self.locale.number(amount) if amount > 0 else "",
                    "amount": self.locale.number(amount),
                    "balance": self.locale.number(balance),
                }
            )
        return rows

    def truth(self) -> dict[str, Any]:
        """The values by the names of the bank statement template; None for what is not printed."""
        return {
            "Bank Name": self.bank.name,
            "Account Holder": self.holder.name,
            "Account Number": self.account,
            "IBAN": self.iban,
            "BIC": self.bic,
            "Statement Number": self.number,
            "Statement Date": self.date.isoformat() if self.date else None,
            "Period Start": self.start.isoformat(),
            "Period End": self.end.isoformat(),
            "Currency": self.currency,
            "Opening Balance": float(self.opening),
            "Closing Balance": float(self.closing),
            "Transactions": [
                self._row(entry, balance)
                for entry, balance in zip(self.entries, self.balances(), strict=True)
            ],
        }

    def _row(self, entry: Entry, balance: Decimal) -> dict[str, Any]:
        amount = Decimal(entry.amount)
        cells = {
            "date": entry.date.isoformat(),
            "value_date": entry.value_date.isoformat() if entry.value_date else None,
            "description": " ".join(entry.description.split()),
            "debit": float(-amount) if amount < 0 else None,
            "credit": float(amount) if amount > 0 else None,
            "amount": float(amount),
            "balance": float(balance),
        }
        return {name: cells[key] if key in self.columns else None for key, name in COLUMNS.items()}
