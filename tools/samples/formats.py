"""How numbers and dates are printed in each country."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

MONTHS = {
    language: names.split()
    for language, names in {
        "en": "January February March April May June July August September October November December",
        "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "nl": "januari februari maart april mei juni juli augustus september oktober november december",
        "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
        "listopada grudnia",
    }.items()
}


@dataclass(frozen=True)
class Locale:
    """How a sender writes numbers, amounts and dates.

    ``money`` is the pattern of an amount that carries its currency; ``day`` one of a date with the
    names ``d``, ``m``, ``y``, ``month`` and ``mon`` (its first three letters).
    """

    language: str
    thousands: str
    decimal: str
    money: str
    day: str

    def number(self, value: Decimal, places: int = 2) -> str:
        digits = f"{abs(value):,.{places}f}"
        text = digits.replace(",", "\0").replace(".", self.decimal).replace("\0", self.thousands)
        return f"-{text}" if value < 0 else text

    def amount(self, value: Decimal) -> str:
        """An amount with its currency."""
        text = self.money.format(self.number(abs(value)))
        return f"-{text}" if value < 0 else text

    def quantity(self, value: Decimal) -> str:
        """A number with as many decimals as it has."""
        return self.number(value, _decimals(value))

    def price(self, value: Decimal) -> str:
        """A number with at least two decimals."""
        return self.number(value, max(2, _decimals(value)))

    def date(self, value: date) -> str:
        month = MONTHS[self.language][value.month - 1]
        return self.day.format(d=value.day, m=value.month, y=value.year, month=month, mon=month[:3])


def _decimals(value: Decimal) -> int:
    return max(0, -int(value.normalize().as_tuple().exponent))


DE = Locale("de", ".", ",", "{} €", "{d:02}.{m:02}.{y}")
DE_LONG = Locale("de", ".", ",", "{} EUR", "{d}. {month} {y}")
CH = Locale("de", "'", ".", "CHF {}", "{d:02}.{m:02}.{y}")
FR = Locale("fr", "\xa0", ",", "{} €", "{d:02}/{m:02}/{y}")
FR_LONG = Locale("fr", "\xa0", ",", "{} EUR", "{d} {month} {y}")
ES = Locale("es", ".", ",", "{} €", "{d:02}/{m:02}/{y}")
ES_LONG = Locale("es", ".", ",", "{} €", "{d} de {month} de {y}")
US = Locale("en", ",", ".", "${}", "{m:02}/{d:02}/{y}")
US_LONG = Locale("en", ",", ".", "${}", "{month} {d}, {y}")
GB = Locale("en", ",", ".", "£{}", "{d:02}/{m:02}/{y}")
GB_LONG = Locale("en", ",", ".", "£{}", "{d} {month} {y}")
GB_SHORT = Locale("en", ",", ".", "£{}", "{d:02} {mon} {y}")
IE = Locale("en", ",", ".", "€{}", "{d} {month} {y}")
ISO_EN = Locale("en", ",", ".", "USD {}", "{y}-{m:02}-{d:02}")
