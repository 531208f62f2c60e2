"""The kinds of documents that the lexicon knows, and phrases found in texts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

from docduck.extraction.lexicon import entries
from docduck.extraction.normal_text import key

_SHORTEST_HEAD = 7
_SPLIT = re.compile(r"[\s/\-–—'’_]+")


@dataclass(frozen=True)
class Kind:
    """A kind of document; titles and phrases are in ``plain`` form.

    Files of the MIME types ``formats`` are of this kind, unless they say otherwise. Its text begins after a
    line with one of ``openings``, and ends before one of ``closings``.
    """

    name: str
    names: frozenset[str]
    titles: frozenset[str]
    phrases: frozenset[str]
    concepts: frozenset[str]
    narrows: tuple[str, ...] = ()
    titled: bool = True
    formats: frozenset[str] = frozenset()
    openings: frozenset[str] = frozenset()
    closings: frozenset[str] = frozenset()
    one_page: bool = False

    @cached_property
    def heads(self) -> tuple[str, ...]:
        """Titles of one word that other words are compounded with."""
        return tuple(title for title in self.titles if " " not in title and len(title) >= _SHORTEST_HEAD)


@cache
def kinds() -> dict[str, Kind]:
    """Return all kinds by name."""
    by_name = {}
    for name, entry in entries("kinds")["kinds"].items():
        titles = [title for some in entry["titles"].values() for title in some]
        names = {plain(spelling) for spelling in (name.replace("_", " "), *entry["names"])}
        by_name[name] = Kind(
            name,
            frozenset(names),
            frozenset(plain(title) for title in titles) | frozenset(name for name in names if " " in name),
            frozenset(plain(phrase) for phrase in entry["phrases"]),
            frozenset(entry.get("concepts", ())),
            tuple(entry.get("narrows", ())),
            bool(titles),
            frozenset(entry.get("formats", ())),
            frozenset(map(plain, entry.get("openings", ()))),
            frozenset(map(plain, entry.get("closings", ()))),
            entry.get("one_page", False),
        )
    return by_name


@cache
def phrases_of(name: Literal["openings", "closings"]) -> frozenset[str]:
    """Return the openings or the closings of all kinds."""
    return frozenset(phrase for kind in kinds().values() for phrase in getattr(kind, name))


def plain(text: str) -> str:
    """Return ``text`` as words of letters and digits without case and accents, separated by one space."""
    return " ".join(word for part in _SPLIT.split(text) if (word := key(part).strip("#%")))


def kind_of(name: str) -> Kind | None:
    """Return the kind that a label's name means: the one with the longest name or title in it."""
    plain_name = plain(name)
    best: tuple[int, Kind] | None = None
    for kind in kinds().values():
        for known in kind.names | kind.titles:
            if known and holds(plain_name, known) and (best is None or len(known) > best[0]):
                best = (len(known), kind)
    return best[1] if best else None


def kinds_named(text: str) -> list[Kind]:
    """Return the kinds that a text names, such as the instructions of a label."""
    words = plain(text)
    return [kind for kind in kinds().values() if any(known and holds(words, known) for known in kind.names)]


def titles_in(text: str, kind: Kind) -> list[str]:
    """Return the titles of a kind in a plain text, also at the end of compounds ("telefonrechnung")."""
    ends = [
        word for word in text.split() if word not in kind.titles and word.endswith(kind.heads) and kind.heads
    ]
    return [*found_in(text, kind.titles), *ends]


def opening_in(short_lines: Iterable[str], openings: Iterable[str]) -> str | None:
    """Return the first line that calls somebody with one of the plain ``openings``."""
    beginnings = tuple(f"{phrase}{end}" for phrase in openings for end in " ,")
    return next((line for line in short_lines if line.endswith(",") and line.startswith(beginnings)), None)


def closing_in(short_lines: Iterable[str], closings: Collection[str]) -> str | None:
    """Return the first line that is one of the plain ``closings``."""
    return next((line for line in short_lines if line.rstrip(",") in closings), None)


def holds(text: str, phrase: str) -> bool:
    """Whether a plain text has the words of a plain phrase in a row."""
    return f" {phrase} " in f" {text} "


def found_in(text: str, phrases: Iterable[str]) -> list[str]:
    """Return those of ``phrases`` that a plain text has, the longest first."""
    padded = f" {text} "
    return sorted(
        (phrase for phrase in phrases if phrase and f" {phrase} " in padded),
        key=lambda text: (-len(text), text),
    )
