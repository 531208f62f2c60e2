"""Synthetic senders: each has its language, labels, date and amount formats, and layout."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from functools import cache
from random import Random
from typing import Any

from docduck.extraction.lexicon import entries, words
from tools.samples.formats import MONTHS

LANGUAGES = ("en", "en", "en", "en", "de", "de", "fr", "fr", "es", "it", "nl", "pt", "pl")
_CURRENCIES = {
    "en": (("$", "USD"), ("£", "GBP"), ("RM", "MYR"), ("S$", "SGD"), ("€", "EUR"), ("Rs.", "INR")),
    "pl": (("zł", "PLN"),),
}
_EURO = (("€", "EUR"), ("EUR", "EUR"))
_STREETS = {
    "en": "Market Street", "de": "Hauptstraße", "fr": "rue de la Paix", "es": "Calle Mayor",
    "it": "Via Roma", "nl": "Kerkstraat", "pt": "Rua Nova", "pl": "ul. Polna",
}  # fmt: skip
_TOWNS = ("Ashford", "Lindau", "Rouen", "Teruel", "Modena", "Zwolle", "Braga", "Opole", "Kulim", "Dover")
_NAMES = ("Alder", "Brimstone", "Corvin", "Dorset", "Elmira", "Fenwick", "Garland", "Harrow", "Ibex", "Juno")
_TRADES = ("Trading", "Foods", "Systems", "Media", "Works", "Logistics", "Supplies", "Café", "Mart")
_FORMS = {"en": "Ltd", "de": "GmbH", "fr": "SARL", "es": "S.L.", "it": "S.r.l.", "nl": "B.V.", "pt": "Lda",
          "pl": "Sp. z o.o."}  # fmt: skip
_UNKNOWN = 0.12
"""Share of labels unknown to the lexicon: abbreviated, or with an additional word."""


@cache
def printed(concept: str, language: str) -> tuple[str, ...]:
    """Return the labels printed for a concept in a language; English if it has none."""
    for group in ("identifiers", "dates", "amounts"):
        entry: dict[str, Any] = entries(group).get(concept, {})
        labels = dict(entry.get("labels") or {})
        for weak, some in (entry.get("weak") or {}).items():
            labels[weak] = [*labels.get(weak, ()), *some]
        texts = labels.get(language) or labels.get("en")
        if texts:
            return tuple(str(text) for text in texts)
    return (concept.replace("_", " "),)


class Sender:
    """One sender; its seed determines everything that it prints."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        r = self.random
        self.language = r.choice(LANGUAGES)
        self.sign, self.currency = r.choice(_CURRENCIES.get(self.language, _EURO))
        self.mark = r.choice(("none", "none", "before", "after"))
        self.american = self.language == "en" and self.currency == "USD"
        self.point = "." if self.language == "en" else r.choice((",", ",", ",", "."))
        self.group = r.choice(("", "," if self.point == "." else r.choice((".", " "))))
        self.order = "mdy" if self.american else "dmy"
        self.dated = r.choice(("/", "/", "-", ".", "iso", "name", "short", "short"))
        self.two = r.random() < 0.25
        self.upper = r.random() < 0.25
        self.colon = r.choice((":", ":", ":", "", " :"))
        self.placing = r.choice(("colon", "colon", "column", "column", "above", "grid"))
        self.size = r.uniform(7.5, 11.0)
        self.ocr = r.random() < 0.45
        self.noise = r.choice((0.0, 0.005, 0.01, 0.02)) if self.ocr else 0.0
        self.form = r.choice(("{d}", "{d}", "INV-{d}", "{y}-{s}", "{l}{d}", "{s}/{y}"))
        self.company = f"{r.choice(_NAMES)} {r.choice(_TRADES)} {_FORMS[self.language]}"
        self.street = f"{_STREETS[self.language]} {r.randrange(1, 180)}"
        self.town = f"{r.randrange(10000, 98000)} {r.choice(_TOWNS)}"
        self._labels: dict[str, str] = {}

    def label(self, concept: str) -> str:
        """Return this sender's label for a concept."""
        if concept not in self._labels:
            self._labels[concept] = self._word(concept)
        return self._labels[concept]

    def _word(self, concept: str) -> str:
        r = self.random
        text = r.choice(printed(concept, self.language))
        while "{" in text:
            macro = text[text.index("{") + 1 : text.index("}")]
            text = text.replace("{" + macro + "}", str(r.choice(words()["macros"][macro])), 1)
        if r.random() < _UNKNOWN:
            text = r.choice((f"{text[: max(3, len(text) // 2)]}.", f"Our {text}", f"{text} ref", text[::2]))
        return text.upper() if self.upper else text[:1].upper() + text[1:]

    def amount(self, value: Decimal, plain: bool = False) -> str:
        """Return an amount in this sender's format, with ``plain`` without the currency."""
        whole, cents = f"{abs(value):.2f}".split(".")
        if self.group and len(whole) > 3:
            whole = f"{whole[:-3]}{self.group}{whole[-3:]}"
        text = f"{'-' if value < 0 else ''}{whole}{self.point}{cents}"
        if plain or self.mark == "none":
            return text
        return f"{self.sign}{text}" if self.mark == "before" else f"{text} {self.sign}"

    def day(self, value: date) -> str:
        """Return a date in this sender's format."""
        year = f"{value.year % 100:02d}" if self.two else str(value.year)
        if self.dated == "iso":
            return value.isoformat()
        if self.dated in ("name", "short"):
            name = self._month(value.month)
            return (
                f"{name} {value.day}, {value.year}" if self.american else f"{value.day} {name} {value.year}"
            )
        parts = (value.month, value.day) if self.order == "mdy" else (value.day, value.month)
        return f"{parts[0]:02d}{self.dated}{parts[1]:02d}{self.dated}{year}"

    def _month(self, month: int) -> str:
        name = MONTHS[self.language][month - 1]
        return name[:3] if self.dated == "short" else name

    def number(self, r: Random) -> str:
        """Return an identifier in this sender's format."""
        digits = str(r.randrange(10 ** r.choice((3, 5, 7)), 10**8))
        return self.form.format(d=digits, s=digits[:5], y=r.randrange(2012, 2027), l=r.choice("ABCFRKT"))
