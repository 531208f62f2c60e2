"""The thesaurus: what the words of labels and field names mean, across languages.

``thesaurus.yaml`` has two kinds of entries. An entry of ``atoms`` has the words of one meaning; an entry of
``phrases`` has the words of several at once, and its key names these: "due date" has "pay by". Each entry is
one text with a line per language, "de fällig, zahlbar": lists of words would take ten times as long to load.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from docduck.extraction.lexicon import entries
from docduck.extraction.normal_text import fold

Reading = frozenset[str]
"""What one use of a word means: the keys of one or more atoms."""

_NOT_LISTED = re.compile(r"[^a-z0-9#%,|\n/ ]+")
_COMPOUNDING = frozenset({"en", "de", "nl", "sv", "da", "fi", "hu"})


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """The entries by the normal forms of their words, without spaces.

    ``parts`` are the words that compounds are made of, joined by ``links``, with their languages;
    ``endings`` are those of inflected forms, the shortest first. ``generic`` atoms qualify others and say
    little alone, ``common`` ones are often left out, ``documents`` name documents; ``made`` ones, these among
    them, say when one was made; ``kinds`` says what the values of an atom are; ``opposites`` and ``related``
    map an atom to those that it excludes or that are near to it.
    """

    readings: dict[str, tuple[Reading, ...]]
    parts: dict[str, frozenset[str]]
    idle: frozenset[str]
    endings: tuple[str, ...]
    links: tuple[str, ...]
    generic: frozenset[str]
    common: frozenset[str]
    documents: frozenset[str]
    made: frozenset[str]
    kinds: dict[str, str]
    opposites: dict[str, frozenset[str]]
    related: dict[str, frozenset[str]]


@cache
def thesaurus() -> Thesaurus:
    """Return the thesaurus; the first call loads it."""
    data = entries("thesaurus")
    readings: dict[str, tuple[Reading, ...]] = {}
    parts: dict[str, frozenset[str]] = {}
    groups = data["atoms"] | data["phrases"]
    texts = _NOT_LISTED.sub("", fold("|".join(groups.values()))).split("|")
    for name, text in zip(groups, texts, strict=True):
        reading = frozenset(name.split())
        for line in text.splitlines():
            languages, _, words = line.partition(" ")
            words = words.replace("/", "")
            for form in words.replace(" ", "").split(","):
                known = readings.get(form)
                if known is None:
                    readings[form] = (reading,)
                elif reading not in known:
                    readings[form] = (*known, reading)
            compounding = _COMPOUNDING.intersection(languages.split("/"))
            if compounding:
                for word in words.split(", "):
                    parts[word] = parts.get(word, compounding) | compounding
    readings.pop("", None)
    opposites: dict[str, frozenset[str]] = {}
    for first, second in data["opposites"]:
        _link(opposites, first.split(), second.split())
    related: dict[str, frozenset[str]] = {}
    for group in data["related"]:
        _link(related, group.split(), group.split())
    return Thesaurus(
        readings,
        parts,
        frozenset(fold(data["idle"]).split()),
        tuple(sorted({"", *data["endings"].split()}, key=lambda text: (len(text), text))),
        ("", *data["links"].split()),
        frozenset(data["generic"].split()),
        frozenset(data["common"].split()),
        frozenset(data["documents"].split()),
        frozenset(data["made"].split()) | frozenset(data["documents"].split()),
        {atom: kind for kind, atoms in data["kinds"].items() for atom in atoms.split()},
        opposites,
        related,
    )


def _link(links: dict[str, frozenset[str]], atoms: list[str], others: list[str]) -> None:
    for atom in atoms:
        links[atom] = links.get(atom, frozenset()).union(others) - {atom}
    for other in others:
        links[other] = links.get(other, frozenset()).union(atoms) - {other}
