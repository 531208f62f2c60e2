"""Parts of postal addresses (code, town, street, state): of a party, or of the address that a field names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from docduck.extraction.extractors.layout.parties.text_blocks import TextBlock
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.meanings import likeness
from docduck.extraction.lexicon import entries, word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import Segment, locations
from docduck.extraction.result import Finding
from docduck.extraction.values.addresses import Town, address_weight, find_town, is_region, is_street
from docduck.fields import FieldType

_COUNTRY = re.compile(r"\s+[A-Z]{2}$")
"""The code of a country behind a town."""
_WORDS = frozenset({"address", "line", "name", "1"})
"""Words that say nothing of whose address a field means."""
_MOST_LINES = 6
_NAMED = 0.5
"""Likeness from which a heading names the address of a field."""
_SURE, _OWN, _FIRST = 0.75, 0.7, 0.5
"""Confidence in an address that is named, the document's own, and the first without a name."""


def part_of(query: FieldQuery) -> tuple[str, str] | None:
    """Return the part of an address that a field asks for, and the words for its party; None for no part."""
    words = query.title.words if query.type is FieldType.TEXT else ()
    for size in (3, 2, 1):
        for at in range(len(words) - size + 1):
            kind = _parts().get("".join(words[at : at + size]))
            if kind is not None and (len(words) > 1 or kind != "state"):
                rest = (*words[:at], *words[at + size :])
                return kind, " ".join(word for word in rest if word not in _WORDS)
    return None


@cache
def _parts() -> dict[str, str]:
    parts = entries("meanings")["parts"]
    return {key(str(word)): kind for kind, words in parts.items() for word in words}


def named_part(blocks: Iterable[TextBlock], query: FieldQuery) -> Finding | None:
    """Return the part of the address that the field names, else of the document's own or first address."""
    texts = part_of(query)
    if texts is None:
        return None
    kind, whose = texts
    scored = [(_score(lines, whose), lines) for block in blocks if (lines := _address(block))]
    score, lines = max(scored, key=lambda pair: pair[0], default=(0.0, []))
    return read_part(lines, kind, score) if score else None


def read_part(lines: Sequence[Segment], kind: str, confidence: float) -> Finding | None:
    """Return the part ``kind`` of an address in lines, the last of which names the town."""
    town = find_town(lines[-1].text) if lines else None
    part = _read(lines, town, kind) if town else None
    return shown(*part, confidence) if part else None


def shown(text: str, line: Segment, confidence: float) -> Finding:
    """Return the part ``text`` of an address with its place in a line."""
    at = line.text.find(text)
    tokens = line.slice(at, at + len(text)) if at >= 0 else list(line.tokens)
    return Finding(text, confidence, locations(tokens), text)


def _address(block: TextBlock) -> list[Segment]:
    """Return the lines of a block down to its town, from the last one that has a heading."""
    if block.town is None:
        return []
    lines = block.segments[max(block.town[0] + 1 - _MOST_LINES, 0) : block.town[0] + 1]
    heads = [at for at, line in enumerate(lines) if ":" in line.text]
    return lines[heads[-1] :] if heads else lines


def _score(lines: Sequence[Segment], whose: str) -> float:
    """Return the confidence in an address as the one of ``whose``, or as the document's own without it."""
    first = lines[0]
    beside = first.page.rows[first.row].segments[: first.order]
    heading = first.text.partition(":")[0].strip()
    headings = [
        heading,
        *(f"{segment.text} {heading}" for segment in beside),
        *(segment.text for segment in beside),
    ]
    if whose:
        named = max(likeness(whose, heading) for heading in headings)
        return _SURE * named if named >= _NAMED else 0.0
    own = word_set("own_addresses", "meanings")
    return _OWN if any(key(heading) in own for heading in headings) else _FIRST


def _read(lines: Sequence[Segment], town: Town, kind: str) -> tuple[str, Segment] | None:
    last = lines[-1]
    if kind == "zip":
        return town.zip, last
    if kind == "state":
        region = next((line for line in lines if is_region(line.text)), None)
        if town.state:
            return town.state, last
        return (region.text.strip(" ,"), region) if region else None
    before = last.text[: town.start]
    pieces = [piece.strip(" ,") for piece in (before.partition(":")[2] or before).split(",")]
    pieces = [piece for piece in pieces if piece]
    if kind == "city":
        return _city(lines, town, pieces)
    street = next((piece for piece in pieces if is_street(piece) or address_weight(piece) >= 0.5), None)
    if street is not None:
        return street, last
    for line in reversed(lines[:-1]):
        text = line.text.partition(":")[2].strip() or line.text
        if is_street(text) and find_town(text) is None:
            return text.strip(" ,"), line
    return None


def _city(lines: Sequence[Segment], town: Town, pieces: Sequence[str]) -> tuple[str, Segment] | None:
    """Return the town beside its code, else the last line or piece before it, no street and no region."""
    if town.city and not is_region(town.city):
        return _COUNTRY.sub("", town.city), lines[-1]
    for text, line in (
        *((piece, lines[-1]) for piece in reversed(pieces)),
        *((line.text.strip(" ,"), line) for line in reversed(lines[:-1])),
    ):
        if not is_street(text) and not is_region(text) and not any(c.isdigit() for c in text):
            return text, line
    return None
