"""Texts of values in a look's own writing: dates, amounts, numbers, addresses, codes."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from dataclasses import dataclass

from tools.looks.vocabulary import Vocabulary

_CURRENCIES = ("€", "EUR", "$", "USD", "£", "GBP", "CHF", "kr", "SEK", "zł", "Kč", "TL", "₺", "R$")
_DATES = (
    "{d:02}.{m:02}.{y}", "{d}.{m}.{y}", "{d:02}/{m:02}/{y}", "{y}-{m:02}-{d:02}", "{d} {month} {y}",
    "{d:02}-{m:02}-{y}", "{m:02}/{d:02}/{y}", "{d}. {month} {y}", "{month} {d}, {y}", "{d:02}.{m:02}.{yy:02}",
    "{d:02}-{mon}-{yy:02}", "{d:02} {mon} {y}", "{mon} {d}, {y}",
)  # fmt: skip
_SHAPES = (
    "######", "#####", "####", "A-####", "AA####", "####/##", "20##-####", "AAA-20##-###", "## ### ###",
    "### ### ### #####", "####-####-####", "A##/#####", "AA-##-###", "########", "##########", "#", "##",
    "A###", "AA ### AA", "#### #### #### ####", "###.###.###-##", "A-AA ####", "##-#######",
)  # fmt: skip
_UNITS = ("kg", "m³", "kWh", "m²", "km", "h", "l", "pcs", "t", "°C", "%", "g/dl", "mm", "GB")


@dataclass(frozen=True)
class Writing:
    """How a look writes its values."""

    words: Vocabulary
    date: str
    currency: str
    currency_first: bool
    decimal: str
    thousands: str
    shapes: tuple[str, ...]
    legal: float
    minus: str

    def text(self, kind: str, rng: random.Random) -> str:
        """Return a text for a value of ``kind``."""
        return _MAKERS[kind](self, rng)

    def number(self, value: float, places: int = 2) -> str:
        """Return ``value`` written with ``places`` decimals."""
        whole, _, cents = f"{abs(value):,.{places}f}".partition(".")
        text = whole.replace(",", self.thousands) + (self.decimal + cents if places else "")
        if value >= 0:
            return text
        return {"before": f"-{text}", "behind": f"{text}-", "brackets": f"({text})", "cr": f"{text} CR"}[
            self.minus
        ]

    def money(self, value: float, marked: bool = True) -> str:
        """Return an amount, with its currency if ``marked``."""
        text = self.number(value)
        if not marked:
            return text
        return f"{self.currency}{text}" if self.currency_first else f"{text} {self.currency}"

    def address(self, rng: random.Random) -> list[str]:
        """Return the lines of a postal address."""
        lines = [
            self.words.some("street", rng).replace("{n}", str(rng.randint(1, 199))),
            self.words.some("town", rng),
        ]
        if rng.random() < 0.25:
            lines.append(self.words.some("country", rng))
        return lines

    def sentence(self, rng: random.Random) -> str:
        """Return a sentence with its values."""
        return self.filled(self.words.some("prose", rng), rng)

    def filled(self, text: str, rng: random.Random) -> str:
        """Return ``text`` with its slots filled."""
        words = self.words
        slots: dict[str, Callable[[], str]] = {
            "date": lambda: self.text("date", rng),
            "money": lambda: self.text("money", rng),
            "id": lambda: self.text("id", rng),
            "company": lambda: words.company(rng, self.legal),
            "company2": lambda: words.company(rng, self.legal),
            "phone": lambda: self.text("phone", rng),
            "mail": lambda: self.text("mail", rng),
            "host": lambda: host(rng),
            "name": lambda: words.name(rng),
            "surname": lambda: words.some("surname", rng),
            "number": lambda: str(rng.randint(5, 60)),
            "city": lambda: words.some("town", rng),
            "n": lambda: str(rng.randint(1, 3)),
            "m": lambda: str(rng.randint(1, 4)),
        }
        for slot, make in slots.items():
            while f"{{{slot}}}" in text:
                text = text.replace(f"{{{slot}}}", make(), 1)
        return text


def make_writing(words: Vocabulary, rng: random.Random) -> Writing:
    """Return the writing of one look."""
    decimal = rng.choice(",,.")
    return Writing(
        words=words,
        date=rng.choice(_DATES),
        currency=rng.choice(_CURRENCIES),
        currency_first=rng.random() < 0.3,
        decimal=decimal,
        thousands=rng.choice((".", " ", "")) if decimal == "," else rng.choice((",", "", "'")),
        shapes=tuple(rng.sample(_SHAPES, 6)),
        legal=rng.choice((0.0, 0.3, 0.6, 0.9, 1.0)),
        minus=rng.choice(("before", "before", "behind", "brackets", "cr")),
    )


def host(rng: random.Random) -> str:
    """Return the name of a host."""
    return "".join(rng.choice("aeioulmnrst") for _ in range(rng.randint(4, 9))) + rng.choice(
        (".com", ".de", ".eu", ".example")
    )


def code(shape: str, rng: random.Random) -> str:
    """Return ``shape`` with a digit for each # and a capital for each A."""
    return "".join(
        rng.choice(string.digits) if c == "#" else rng.choice(string.ascii_uppercase) if c == "A" else c
        for c in shape
    )


def _date(writing: Writing, rng: random.Random) -> str:
    month, year = rng.randint(1, 12), rng.randint(2005, 2027)
    name = writing.words.texts["month"][month - 1]
    return writing.date.format(d=rng.randint(1, 28), m=month, y=year, yy=year % 100, month=name, mon=name[:3])


def _amount(rng: random.Random) -> float:
    sign = -1 if rng.random() < 0.03 else 1
    return sign * round(float(10 ** rng.uniform(0, 4.6)), 2)


def _free_text(writing: Writing, rng: random.Random) -> str:
    words = writing.words
    pick = rng.random()
    if pick < 0.5:
        return words.phrase(rng)
    pick = (pick - 0.5) * 2
    if pick < 0.3:
        return words.some("item", rng)
    if pick < 0.5:
        return words.some("text", rng)
    if pick < 0.65:
        return words.some("town", rng)
    if pick < 0.75:
        return words.some("yesno", rng).split("/")[0]
    if pick < 0.8:
        return rng.choice("ABCDEFG")
    return words.invented(rng)


def _phone(rng: random.Random) -> str:
    return code(
        rng.choice(
            ("+## ## ### ## ##", "0## ####-####", "(###) ###-####", "0### ######", "+## (0)## ######")
        ),
        rng,
    )


_MAKERS: dict[str, Callable[[Writing, random.Random], str]] = {
    "id": lambda w, rng: code(rng.choice(w.shapes), rng),
    "date": _date,
    "money": lambda w, rng: w.money(_amount(rng), rng.random() < 0.7),
    "quantity": lambda w, rng: (
        f"{w.number(10 ** rng.uniform(0, 4), rng.choice((0, 0, 1, 2)))} {rng.choice(_UNITS)}"
        if rng.random() < 0.7
        else str(rng.randint(1, 40))
    ),
    "text": _free_text,
    "person": lambda w, rng: w.words.name(rng),
    "mail": lambda w, rng: f"{rng.choice(('info', 'office', 'a.miller', 'service'))}@{host(rng)}",
    "phone": lambda w, rng: _phone(rng),
    "web": lambda w, rng: rng.choice(("www.", "https://", "")) + host(rng),
    "iban": lambda w, rng: code(
        rng.choice(("AA## #### #### #### #### ##", "AA####################", "####-#### #######")), rng
    ),
    "bic": lambda w, rng: code("AAAAAA##AAA", rng),
    "taxid": lambda w, rng: code(
        rng.choice(("AA#########", "## ### ###", "###/####/####", "AA ### ### ###", "########")), rng
    ),
    "percent": lambda w, rng: (
        f"{w.number(rng.choice((7, 19, 20, 21, 5.5, 22, 23, 3.75)), rng.choice((0, 1, 2)))} %"
    ),
    "company": lambda w, rng: w.words.company(rng, w.legal),
}
