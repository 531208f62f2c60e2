"""Which header of a mail a field asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from docduck.extraction.lexicon import entries
from docduck.extraction.normal_text import key, words_of
from docduck.fields import Field


@dataclass(frozen=True, slots=True)
class _Header:
    name: str
    types: frozenset[str]
    names: frozenset[str]
    weak: frozenset[str]
    described: frozenset[str]


def _keys(words: Iterable[str]) -> frozenset[str]:
    return frozenset(key(str(word)) for word in words)


@cache
def _lexicon() -> tuple[tuple[_Header, ...], dict[str, frozenset[str]]]:
    data: dict[str, Any] = entries("mail")
    words = {name: _keys(entry) for name, entry in data.items() if isinstance(entry, list)}
    headers = tuple(
        _Header(
            name,
            frozenset(entry["types"]),
            _keys(entry["names"]),
            _keys(entry.get("weak", ())),
            _keys(entry.get("described", ())),
        )
        for name, entry in data.items()
        if isinstance(entry, dict)
    )
    return headers, words


def header_fields(fields: Sequence[Field]) -> dict[str, tuple[str, bool]]:
    """The header (``subject``, ``sender_address`` …) that each field means, by field name, and if certainly.

    A name that could mean something else (a date) counts where the description speaks of mails, or where
    another field certainly asks for a header.
    """
    headers, words = _lexicon()
    certain: dict[str, str] = {}
    possible: dict[str, str] = {}
    for field in fields:
        names = _keys([field.name, *field.labels])
        description = key(field.description or "")
        described_words = _keys(words_of(field.description or ""))
        for header in headers:
            if field.type.value not in header.types:
                continue
            if names & header.names or any(phrase in description for phrase in header.described):
                certain.setdefault(field.name, header.name)
            elif names & header.weak:
                if described_words & words["mail_words"]:
                    certain.setdefault(field.name, header.name)
                else:
                    possible.setdefault(field.name, header.name)
    if not certain:
        return {}
    return {name: (header, name in certain) for name, header in {**possible, **certain}.items()}


def wanted_part(field: Field) -> Literal["name", "address", "both"]:
    """Which part of a mailbox the field speaks of, its name before its description."""
    words = _lexicon()[1]
    for text in (field.name, field.description or ""):
        said = _keys(words_of(text))
        if said & words["name_words"]:
            return "name"
        if said & words["address_words"]:
            return "address"
    return "both"
