"""The words of the generator's twelve languages, and new words that sound like them."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent / "vocabulary"
LANGUAGES = tuple(sorted(path.stem for path in _HERE.glob("*.txt")))
_ANYTHING = (
    "id",
    "date",
    "money",
    "quantity",
    "text",
    "person",
    "item",
    "trade",
    "surname",
    "given",
    "title",
    "group",
)
_LABELS = ("id", "date", "money", "quantity", "text", "person")


@dataclass(frozen=True)
class Vocabulary:
    """The texts of one language by key (``date`` labels dates, ``item`` are goods …)."""

    language: str
    texts: dict[str, tuple[str, ...]]

    def some(self, key: str, rng: random.Random) -> str:
        """Return one text of ``key``."""
        return rng.choice(self.texts[key])

    def label(self, key: str, rng: random.Random, known: float) -> str:
        """Return a label for a value of kind ``key``; with a chance of 1 - ``known`` one that is made up."""
        return self.some(key, rng) if rng.random() < known else self.invented(rng)

    def invented(self, rng: random.Random) -> str:
        """Return one to three words that nobody knows, with the letters of this language."""
        words = [_word(self.language, rng) for _ in range(rng.choice((1, 1, 1, 2, 2, 3)))]
        style = rng.random()
        first = words[0].capitalize() if style < 0.9 else words[0]
        return " ".join([first, *(w.capitalize() if style < 0.3 else w for w in words[1:])])

    def phrase(self, rng: random.Random) -> str:
        """Return words of any kind, of labels too: what a thing is called doesn't tell what it is."""
        words = []
        for _ in range(rng.randint(1, 4)):
            if rng.random() < 0.4:
                words.append(_word(self.language, rng))
            else:
                words.append(rng.choice(self.some(rng.choice(_ANYTHING), rng).split()))
        text = " ".join(words)
        return rng.choice((text.title(), text.title(), text.upper(), text.capitalize(), text))

    def name(self, rng: random.Random) -> str:
        """Return a person's name."""
        surname = self.some("surname", rng)
        if rng.random() < 0.5:
            surname = _word(self.language, rng).capitalize()
        if rng.random() < 0.3:
            return f"{_word(self.language, rng).capitalize()} {surname}"
        order = rng.random()
        if order < 0.1:
            return f"{surname}, {self.some('given', rng)}"
        if order < 0.2:
            return f"{self.some('given', rng)[0]}. {surname}"
        return f"{self.some('given', rng)} {surname}"

    def company(self, rng: random.Random, legal: float) -> str:
        """Return the name of an organisation, with a chance of ``legal`` with its legal form."""
        if rng.random() < 0.25:
            return self.phrase(rng)
        own = _word(self.language, rng).capitalize() if rng.random() < 0.5 else self.some("surname", rng)
        trade = self.some("trade", rng)
        second = self.some("surname", rng)
        shape = rng.choice(
            (
                f"{own} {trade}",
                f"{trade} {own}",
                f"{own} & {second}",
                own,
                f"{own} {second} {trade}",
                own.upper(),
            )
        )
        return f"{shape} {self.some('legal', rng)}" if rng.random() < legal else shape


@cache
def vocabulary(language: str) -> Vocabulary:
    """Return the vocabulary of a language of ``LANGUAGES``."""
    texts = {}
    for line in (_HERE / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        key, _, rest = line.partition(": ")
        texts[key] = tuple(rest.split() if key == "month" else (text.strip() for text in rest.split(" | ")))
    return Vocabulary(language, texts)


@cache
def _letters(language: str) -> dict[str, str]:
    """Return the letters that follow each pair of letters in the labels of a language."""
    following: dict[str, list[str]] = defaultdict(list)
    for key in _LABELS:
        for label in vocabulary(language).texts[key]:
            for word in label.lower().split():
                if word.isalpha():
                    text = f"^^{word}$"
                    for at in range(2, len(text)):
                        following[text[at - 2 : at]].append(text[at])
    return {pair: "".join(texts) for pair, texts in following.items()}


def _word(language: str, rng: random.Random) -> str:
    letters = _letters(language)
    while True:
        word = "^^"
        while word[-1] != "$" and len(word) < 16:
            word += rng.choice(letters[word[-2:]])
        if 3 <= len(word.strip("^$")) <= 13:
            return word.strip("^$")
