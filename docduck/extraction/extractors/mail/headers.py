"""The header of a mail that a field asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import entries, word_set
from docduck.extraction.normal_text import key


@dataclass(frozen=True, slots=True)
class _Header:
    """A header: the types of fields that can ask for it, and the normal forms of what they are called.

    ``weak`` names also mean other things; ``described`` are phrases of descriptions.
    """

    name: str
    types: frozenset[str]
    names: frozenset[str]
    weak: frozenset[str]
    described: frozenset[str]


def _keys(words: Iterable[str]) -> frozenset[str]:
    return frozenset(key(str(word)) for word in words)


@cache
def _headers() -> tuple[_Header, ...]:
    return tuple(
        _Header(
            name,
            frozenset(entry["types"]),
            _keys(entry["names"]),
            _keys(entry.get("weak", ())),
            _keys(entry.get("described", ())),
        )
        for name, entry in entries("mail").items()
        if isinstance(entry, dict)
    )


def header_fields(queries: Sequence[FieldQuery]) -> dict[str, tuple[str, bool]]:
    """Return the header (``subject``, ``sender_address`` …) that each field means, and whether certainly.

    A name that could mean something else (a date) counts where the description speaks of mails, or where
    another field certainly asks for a header. The result is by field name.
    """
    certain: dict[str, str] = {}
    possible: dict[str, str] = {}
    for query in queries:
        described = query.description.whole
        for header in _headers():
            if query.type.value not in header.types:
                continue
            if query.keys & header.names or any(phrase in described.key for phrase in header.described):
                certain.setdefault(query.name, header.name)
            elif query.keys & header.weak:
                if word_set("mail_words", "mail").isdisjoint(described.words):
                    possible.setdefault(query.name, header.name)
                else:
                    certain.setdefault(query.name, header.name)
    if not certain:
        return {}
    return {name: (header, name in certain) for name, header in {**possible, **certain}.items()}


def mailbox_part(query: FieldQuery) -> Literal["name", "address", "both"]:
    """Return the part of a mailbox that a field asks for, by its name before its description."""
    for said in (query.title, query.description.whole):
        if not word_set("name_words", "mail").isdisjoint(said.words):
            return "name"
        if not word_set("address_words", "mail").isdisjoint(said.words):
            return "address"
    return "both"
