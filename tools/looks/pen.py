"""A pen: a sheet with a look, a random source and a place to write on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tools.looks.look import Look
from tools.looks.sheet import Kind, Piece, Sheet

_WEIGHTS = {"id": 6, "date": 5, "money": 4, "text": 5, "quantity": 2, "person": 2}
_FACTS = (*_WEIGHTS, "mail", "phone", "taxid", "iban", "percent", "bic", "web")
"""Kinds of facts; those of ``_WEIGHTS`` are more frequent than the others."""


@dataclass(frozen=True)
class Fact:
    """A label and its value, in one or more lines; without lines, a field that nobody filled in."""

    label: str
    lines: tuple[str, ...]


class Pen:
    """Writes on ``sheet`` from ``y`` down."""

    def __init__(self, look: Look, sheet: Sheet, rng: random.Random) -> None:
        self.look, self.sheet, self.rng = look, sheet, rng
        self.left, self.right = look.margin, look.width - look.margin
        self.y = look.margin + look.size
        self.bottom = look.height - look.margin - 4 * look.size

    @property
    def step(self) -> float:
        """The distance of two lines, in points."""
        return self.look.size * self.look.leading

    @property
    def room(self) -> bool:
        """Whether there is room for another block."""
        return self.y < self.bottom - 3 * self.step

    def down(self, lines: float = 1.0) -> None:
        """Go down by ``lines``."""
        self.y += lines * self.step

    def text(self, x: float, text: str, kind: Kind, size: float = 1.0, **more: Any) -> Piece:
        """Write ``text`` at ``x`` in the current line; ``size`` is relative to the look's."""
        return self.sheet.write(x, self.y, text, kind, self.look.size * size, **more)

    def width(self, text: str, size: float = 1.0, bold: bool = False) -> float:
        """Return the width of ``text`` in points."""
        return self.sheet.type.width(text, self.look.size * size, bold)

    def label(self, x: float, text: str, size: float = 1.0, colon: bool = True, **more: Any) -> Piece:
        """Write a label as this look prints it."""
        shown = self.look.label(text)
        if not colon:
            shown = shown.rstrip(" :.")
        return self.text(x, shown, "label", size, bold=self.look.label_bold, **more)

    def value(self, x: float, lines: Sequence[str], label: Piece | None, **more: Any) -> None:
        """Write the lines of a value, one below the other; the pen ends in the last line."""
        captions = (label,) if label else ()
        self.y += self.look.offset * self.look.size
        for number, line in enumerate(lines):
            self.y += self.step * 0.95 if number else 0.0
            self.text(x, line, "value", captions=captions, **more)
        self.y -= self.look.offset * self.look.size

    def fact(self) -> Fact:
        """Return a fact."""
        rng, look = self.rng, self.look
        kind = rng.choices(_FACTS, [_WEIGHTS.get(fact, 1) for fact in _FACTS])[0]
        label = look.words.label(kind, rng, look.known)
        if look.second and look.offset == 0.0 and rng.random() < 0.8:
            label += rng.choice((" / ", "/")) + look.second.some(kind, rng)
        self.sheet.kinds[label] = kind
        if rng.random() < look.empty:
            return Fact(label, ())
        lines: tuple[str, ...] = (look.writing.text(kind, rng),)
        if kind == "text" and rng.random() < 0.2:
            lines = (
                tuple(look.writing.address(rng))
                if rng.random() < 0.5
                else self.wrapped(look.writing.sentence(rng), 160)
            )
        return Fact(label, lines)

    def facts(self, count: int) -> list[Fact]:
        """Return ``count`` facts with different labels."""
        facts = {fact.label: fact for fact in (self.fact() for _ in range(2 * count))}
        return list(facts.values())[:count]

    def wrapped(self, text: str, width: float) -> tuple[str, ...]:
        """Return ``text`` in lines of at most ``width`` points."""
        lines: list[str] = []
        for word in text.split():
            if lines and self.width(f"{lines[-1]} {word}") <= width:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        return tuple(lines)
