"""Encoding of values as texts that sort bytewise like the values, under a key of parser, field and kind."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from docduck.extraction.values import typed_values
from docduck.service.conditions import Kind
from docduck.service.conditions.columns import folded_text
from docduck.service.conditions.targets import kind_of

INCOMPARABLE = "\U0010fffe"
"""Marks a value that exists but can't be compared."""
MISSING = "\U0010ffff"
"""Marks a value missing in a row of a table."""
LONGEST = 240
"""Characters of a text that are indexed; longer ones are followed by a hash."""
_CUT = "\U0010fffd"
_MOST_DIGITS = 100
_KEPT_KEYS = 10_000
_MOST_FOLDED = 3
"""Most characters that a character becomes by case-folding."""
_HIGHEST_EXPONENT = 4999
_COMPLEMENT = str.maketrans("0123456789", "9876543210")
ANY_PREFIXES = {Kind.NUMBER: "n", Kind.TEXT: "t", Kind.BOOLEAN: "b"}
"""Prefixes of values of ``Kind.ANY`` by their actual kind."""


def hash64(*parts: str) -> int:
    """Return a hash of ``parts`` as a signed 64-bit integer."""
    digest = blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


@lru_cache(maxsize=_KEPT_KEYS)
def field_key(parser_id: str, ref: str, kind: Kind) -> int:
    """Return the key of a field's values compared as ``kind``."""
    return hash64(parser_id, ref, kind.value)


@lru_cache(maxsize=_KEPT_KEYS)
def long_key(parser_id: str, ref: str, kind: Kind) -> int:
    """Return the key that marks documents with texts too long to index in full."""
    return hash64(parser_id, ref, kind.value, "long")


def encoded(kind: Kind, value: Any) -> str | None:
    """Encode a value for ``kind``; None if it has another type."""
    match kind:
        case Kind.NUMBER:
            number = typed_values.decimal_of(value)
            return None if number is None else encoded_number(number)
        case Kind.DATE:
            day = typed_values.date_of(value)
            return None if day is None else day.isoformat()
        case Kind.BOOLEAN:
            truth = typed_values.boolean_of(value)
            return None if truth is None else str(int(truth))
        case Kind.ANY:
            inner = kind_of(value)
            text = None if inner is None else encoded(inner, value)
            return None if inner is None or text is None else ANY_PREFIXES[inner] + text
        case Kind.TABLE | Kind.MOMENT:
            return None
        case _:
            text = folded_text(value)
            return None if text is None else encoded_text(text)


def encoded_text(folded: str) -> str:
    """Encode a case-folded text, shortened if necessary."""
    if len(folded) <= LONGEST:
        return folded
    return f"{folded[:LONGEST]}{_CUT}{hash64(folded):x}"


def encoded_number(number: Decimal) -> str:
    """Encode a number as sign, exponent and digits, complemented for negative numbers."""
    sign, digits, exponent = number.as_tuple()
    significant = "".join(map(str, digits)).lstrip("0")
    if not significant or not isinstance(exponent, int):
        return "1"
    highest = len(significant) - 1 + exponent
    bounded = min(max(highest, -_HIGHEST_EXPONENT), _HIGHEST_EXPONENT)
    text = f"{bounded + 5000:04d}{significant.rstrip('0')[:_MOST_DIGITS]}"
    return f"0{text.translate(_COMPLEMENT)}~" if sign else f"2{text}"


def cell_entries(kind: Kind, cell: Any) -> set[str]:
    """Return the index entries of a cell.

    An empty text can be compared but doesn't exist; a cell that exists has a further entry.
    """
    texts = {text for item in _items(kind, cell) if (text := encoded(kind, item)) is not None}
    if not typed_values.is_missing(cell) and texts <= {empty(kind)}:
        texts.add(INCOMPARABLE)
    return texts


def empty(kind: Kind) -> str:
    """Return the encoding of an empty text."""
    return ANY_PREFIXES[Kind.TEXT] if kind is Kind.ANY else ""


def has_long(kind: Kind, cell: Any) -> bool:
    """Return whether a text of the cell is too long to be indexed in full."""
    if isinstance(cell, str) and len(cell) * _MOST_FOLDED <= LONGEST:
        return False
    texts = (typed_values.text_of(item) for item in _items(kind, cell))
    return any(len(typed_values.folded(text)) > LONGEST for text in texts if text)


def _items(kind: Kind, cell: Any) -> Iterator[Any]:
    """Yield the values to compare: the items of a list, otherwise the cell itself."""
    if kind is Kind.LIST and isinstance(cell, list | tuple):
        yield from cell
    elif kind is Kind.ANY and isinstance(cell, list | tuple):
        for item in cell:
            yield from _items(kind, item)
    else:
        yield cell
