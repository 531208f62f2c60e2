"""The page that a table field names, and the parts of its columns' names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from docduck.extraction.normal_text import key, squeeze
from docduck.fields import Field

_PAGE = re.compile(
    r"\b(?:pages?|p\.|seite|s\.|página|pagina|pág\.|strona|str\.|blad\w*)\s*(?:no\.?\s*|nr\.?\s*)?(\d{1,4})\b",
    re.I,
)
_PART = re.compile(r"\s+[/|>›»]\s+")


def page_of(field: Field) -> int | None:
    """Return the page number that the field's description or instructions name, None if they name none."""
    for text in (field.description, field.instructions):
        found = _PAGE.search(text or "")
        if found:
            return int(found[1])
    return None


@dataclass(frozen=True, slots=True)
class Name:
    """A column's name as headers print it: ``leaf`` is the lowest part, ``groups`` are above, outer first."""

    leaf: str
    groups: tuple[str, ...] = ()


def letters(text: str) -> str:
    """Return the normal form of printed words; of signs alone ("%", "≥"), the signs themselves."""
    return key(text) or "".join(text.split())


@lru_cache(maxsize=4096)
def names_of(column: Field) -> tuple[Name, ...]:
    """Return the names that may be printed over a column: its own, its name in parts, and its labels."""
    found: list[Name] = []
    for text in (column.name, *column.labels):
        found.append(Name(letters(text)))
        parts = [letters(part) for part in _PART.split(squeeze(text))]
        if len(parts) > 1 and all(parts):
            found.append(Name(parts[-1], tuple(parts[:-1])))
        spaced = letters(text.replace("_", " "))
        if spaced != found[0].leaf:
            found.append(Name(spaced))
    return tuple(dict.fromkeys(name for name in found if name.leaf))
