"""Values as texts that sort bytewise as what they stand for, under a key of parser, field and kind."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from docduck.service.conditions import Kind, typed

INCOMPARABLE = "\U0010fffe"
"""Stands for a value that can't be compared: it exists, and nothing more is known of it."""
MISSING = "\U0010ffff"
"""Stands for the value that a row of a table lacks."""
LONGEST = 240
"""Characters of a text that are kept; a longer one is told from its like by a hash."""
_CUT = "\U0010fffd"
_MOST_DIGITS = 100
_KEPT_KEYS = 10_000
_MOST_FOLDED = 3
"""Characters that one character becomes at most when it is case-folded."""
_HIGHEST_EXPONENT = 4999
_COMPLEMENT = str.maketrans("0123456789", "9876543210")
ANY_PREFIXES = {Kind.NUMBER: "n", Kind.TEXT: "t", Kind.BOOLEAN: "b"}
"""What values of ``Kind.ANY`` begin with, by what each of them is."""


def hash64(*parts: str) -> int:
    """A hash of ``parts`` that fits a signed integer of 64 bits."""
    digest = blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


@lru_cache(maxsize=_KEPT_KEYS)
def field_key(parser_id: str, ref: str, kind: Kind) -> int:
    """The key of a field's values, as they are compared by ``kind``."""
    return hash64(parser_id, ref, kind.value)


@lru_cache(maxsize=_KEPT_KEYS)
def long_key(parser_id: str, ref: str, kind: Kind) -> int:
    """The key under which a field's documents stand that have a text longer than is kept."""
    return hash64(parser_id, ref, kind.value, "long")


def encoded(kind: Kind, value: Any) -> str | None:
    """One value as a text that sorts as ``kind`` compares, or None when it is no such thing."""
    match kind:
        case Kind.NUMBER:
            number = typed.decimal_of(value)
            return None if number is None else encoded_number(number)
        case Kind.DATE:
            day = typed.date_of(value)
            return None if day is None else day.isoformat()
        case Kind.BOOLEAN:
            truth = typed.boolean_of(value)
            return None if truth is None else str(int(truth))
        case Kind.ANY:
            inner = kind_of(value)
            text = None if inner is None else encoded(inner, value)
            return None if inner is None or text is None else ANY_PREFIXES[inner] + text
        case Kind.TABLE | Kind.MOMENT:
            return None
        case _:
            text = typed.text_of(value)
            return None if text is None else encoded_text(typed.folded(text))


def kind_of(value: Any) -> Kind | None:
    """How a value without a type is compared."""
    if isinstance(value, bool):
        return Kind.BOOLEAN
    if isinstance(value, int | float | Decimal):
        return Kind.NUMBER
    return Kind.TEXT if isinstance(value, str) else None


def encoded_text(folded: str) -> str:
    """A folded text, cut to what is kept."""
    if len(folded) <= LONGEST:
        return folded
    return f"{folded[:LONGEST]}{_CUT}{hash64(folded):x}"


def encoded_number(number: Decimal) -> str:
    """A number as sign, exponent and digits; those of negative ones are complemented."""
    sign, digits, exponent = number.as_tuple()
    significant = "".join(map(str, digits)).lstrip("0")
    if not significant or not isinstance(exponent, int):
        return "1"
    highest = len(significant) - 1 + exponent
    bounded = min(max(highest, -_HIGHEST_EXPONENT), _HIGHEST_EXPONENT)
    text = f"{bounded + 5000:04d}{significant.rstrip('0')[:_MOST_DIGITS]}"
    return f"0{text.translate(_COMPLEMENT)}~" if sign else f"2{text}"


def cell_entries(kind: Kind, cell: Any) -> set[str]:
    """What stands in the index for one cell.

    An empty text is compared like any other, but does not exist: a cell that does has another entry, too.
    """
    found = {text for item in _items(kind, cell) if (text := encoded(kind, item)) is not None}
    if not typed.is_missing(cell) and found <= {empty(kind)}:
        found.add(INCOMPARABLE)
    return found


def empty(kind: Kind) -> str:
    """What stands for an empty text."""
    return ANY_PREFIXES[Kind.TEXT] if kind is Kind.ANY else ""


def has_long(kind: Kind, cell: Any) -> bool:
    """Whether a text of the cell is longer than is kept."""
    if isinstance(cell, str) and len(cell) * _MOST_FOLDED <= LONGEST:
        return False
    texts = (typed.text_of(item) for item in _items(kind, cell))
    return any(len(typed.folded(text)) > LONGEST for text in texts if text)


def _items(kind: Kind, cell: Any) -> Iterator[Any]:
    """What is compared one by one: the items of a list, else the cell itself."""
    if kind is Kind.LIST and isinstance(cell, list | tuple):
        yield from cell
    elif kind is Kind.ANY and isinstance(cell, list | tuple):
        for item in cell:
            yield from _items(kind, item)
    else:
        yield cell
