"""The prose lexicon: concepts of fields and the phrases that state them, kept as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from docduck.extraction.lexicon import entries, read_entries
from docduck.extraction.normal_text import key

_MACRO = re.compile(r"\{([a-z]+)\}")


@dataclass(frozen=True, slots=True)
class Rule:
    """A phrase that states a concept.

    ``cue`` is a literal in lower case that every match contains. ``find`` is the whole expression; its group
    ``v`` is the value, or its beginning for dates and durations. ``weight`` is the share of correct matches.
    ``zone`` is the part of the document searched (``head``, ``tail``, ``any``). ``last`` prefers the last
    match to the first. ``unless`` excludes sentences with certain words.
    """

    cue: str
    find: str
    weight: float = 0.85
    zone: str = "any"
    last: bool = False
    unless: str | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled ``find``."""
        return expression(self.find)


@dataclass(frozen=True, slots=True)
class ProseConcept:
    """A concept that prose states. ``names`` are names of fields, ``said`` phrases in descriptions.

    ``finder`` names the part of the extractor that finds it, with ``role`` as its argument. ``kind`` is the
    form of the values that ``rules`` find; ``labels`` are line labels ("Docket Number:"). Prose documents
    state ``owned`` concepts only in words that the rules know, so that no other extractor should guess.
    """

    name: str
    kind: str
    names: tuple[frozenset[str], ...]
    said: tuple[str, ...]
    finder: str
    role: str
    rules: tuple[Rule, ...]
    labels: tuple[str, ...]
    captions: tuple[str, ...]
    owned: bool


@cache
def number_words() -> dict[str, str]:
    """Return digits by number word in normal form."""
    return {key(word): str(digits) for digits, some in entries("prose")["numbers"].items() for word in some}


@cache
def ordinal_words() -> dict[str, str]:
    """Return digits by ordinal word in lower case."""
    return {str(word): str(digits) for digits, some in entries("prose")["ordinals"].items() for word in some}


@cache
def units() -> dict[str, str]:
    """Return the English singular by case-folded unit of time, in all languages."""
    return {word.casefold(): unit for unit, some in entries("prose")["units"].items() for word in some}


_DIGITS = r"\d{1,4}(?:[.,]\d)?"


@cache
def duration_form(groups: bool = True) -> str:
    """Return the pattern of a duration; with ``groups``, its number and unit are named groups."""
    some = [str(word) for words in entries("prose")["numbers"].values() for word in words]
    spelled = "|".join(re.escape(word) for word in sorted(some, key=len, reverse=True))
    named = "|".join(re.escape(unit) for unit in sorted(units(), key=len, reverse=True))
    ordinals = "|".join(ordinal_words())
    form = (
        rf"(?<![\w.,-])(?:(?P<ordinal>{ordinals})[\s-]+(?:\(\w+\)\s+)?(?:year\s+)?(?P<unit2>anniversary)|(?:(?P<word>{spelled})(?:[\s-]*\(\s*(?P<both>{_DIGITS})\s*\))?"
        rf"|(?P<digits>{_DIGITS})(?:\s*\([^)]{{2,20}}\))?)[\s-]*"
        rf"(?:(?:full|consecutive|calendar|successive|volle[nr]?|business)\s+)?(?P<unit>{named})(?![\w-]*\w))"
    )
    return form if groups else re.sub(r"\?P<\w+>", "?:", form)


def _entries(file: Path | None) -> Mapping[str, Any]:
    """Return the entries of a lexicon in this form: a domain's file, or that of all texts."""
    return entries("prose") if file is None else read_entries(file)


@cache
def words(name: str, file: Path | None = None) -> frozenset[str]:
    """Return a list of words in lower case: ``roles``, ``not_names`` …"""
    return frozenset(str(word).casefold() for word in _entries(file)["words"][name])


@cache
def expression(text: str) -> re.Pattern[str]:
    """Return a compiled expression of the lexicon.

    Spaces match line ends, `` ... `` the rest of a clause, `` .. `` a few words, and macros expand. Words
    match in any case, macros such as ``{name}`` in their own.
    """
    return re.compile(_expand(text), re.IGNORECASE | re.DOTALL)


def _expand(text: str) -> str:
    macros = {
        **entries("prose")["macros"],
        "duration": f"(?P<v>)(?={duration_form(groups=False)})",
        "name": f"(?P<v>(?-i:{name_form()}))",
    }
    spaced = text.replace(" ... ", " (?:(?:[^.;]|\\.(?=[\\w,)])){0,160}? )?").replace(
        " .. ", " (?:[^.;,]{0,50}? )?"
    )
    spaced = re.sub(r" +", lambda _: r"\s+", spaced)
    while _MACRO.search(spaced):
        spaced = _MACRO.sub(lambda m: macros[m[1]], spaced)
    return spaced


@cache
def any_of(name: str, file: Path | None = None) -> str:
    """Return the alternatives of a list as one group of a pattern."""
    return "(?:" + "|".join(_expand(str(form)) for form in _entries(file)["alternatives"][name]) + ")"


@cache
def name_form() -> str:
    """Return the pattern of a name: capitalised words joined by "of", "de", "&", with legal forms."""
    legal = entries("prose")["legal_form"]
    word = r"(?:[A-ZÀ-ÖØ-Þ][\w’'.&/-]*|[A-Z]\.)"
    first = rf"(?:{word}|(?!(?:19|20)\d\d\b)[0-9][\w-]*(?=\s+[A-ZÀ-ÖØ-Þ]))"
    joint = r"(?:of|the|for|de|der|des|du|da|von|van|zu|la|le|di|del|della|den|&|y|et|und)"
    opening = "|".join(entries("prose")["words"]["openings"])
    space = rf"[ \n](?!\n)(?!(?<=\.\s)(?:{opening})\b)"
    suffix = r"(?:,[ \n]+(?:Jr|Sr|II|III|IV|Esq|M\.D|Ph\.D)\.?(?!\w))?"
    forms = rf"(?:,?[ \n](?:& Co\.? )?{legal}\.?(?!\w))*"
    partners = (
        r"(?:[ \n](?:and|&|und|et)[ \n](?:Company|Co\b\.?|Sons|Associates|Partners|Söhne|Fils|Cie\b\.?))?"
    )
    return rf"{first}(?:{space}(?:(?:{joint}[ \n]){{1,2}}{word}|{first})){{0,9}}{partners}{forms}{suffix}"


@cache
def concepts(file: Path | None = None) -> dict[str, ProseConcept]:
    """Return every concept by its name."""
    concepts = {}
    for name, entry in _entries(file)["concepts"].items():
        names = [name.replace("_", " "), *entry.get("names", ())]
        concepts[name] = ProseConcept(
            name=name,
            kind=entry.get("kind", "text"),
            names=tuple(frozenset(key(word) for word in phrase.split()) for phrase in names),
            said=tuple(key(phrase) for phrase in entry.get("said", ())),
            finder=entry.get("finder", "rules"),
            role=entry.get("role", ""),
            rules=tuple(Rule(**rule) for rule in entry.get("rules", ())),
            labels=tuple(str(label) for label in entry.get("labels", ())),
            captions=tuple(str(caption) for caption in entry.get("captions", ())),
            owned=bool(entry.get("owned", False)),
        )
    return concepts
