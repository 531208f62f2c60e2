"""Postal addresses: the line with postal code and town, in the national forms, and its parts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_TOWN = r"[^\W\d_][\w'’.\-/()]*(?:\s(?:[^\W\d_][\w'’.\-/()]*)){0,4}"
_FORMS = (
    # United States: Town, ST 12345
    re.compile(rf"(?P<city>{_TOWN}),?\s+(?P<state>[A-Z]{{2}})\.?,?\s+(?P<zip>\d{{5}}(?:-\d{{4}})?)\b"),
    # Netherlands 1234 AB Town, Portugal 1234-567 Town, Poland 12-345 Town, Sweden 123 45 Town
    re.compile(rf"\b(?:[A-Z]{{1,3}}[- ])?(?P<zip>\d{{4}}\s?[A-Z]{{2}})\s+(?P<city>{_TOWN})"),
    re.compile(
        rf"\b(?:[A-Z]{{1,3}}[- ])?(?P<zip>\d{{4}}-\d{{3}}|\d{{2}}-\d{{3}}|\d{{3}}\s\d{{2}})\s+"
        rf"(?P<city>{_TOWN})"
    ),
    # Continental: D-12345 Town, F-75001 Town, 1010 Town
    re.compile(rf"(?<![\w,.\-/+])(?:[A-Z]{{1,3}}[- ]\s?)?(?P<zip>\d{{4,5}}),?\s+(?P<city>{_TOWN})"),
    # United Kingdom and Ireland: Town SW1A 1AA, or the code before the town
    re.compile(
        rf"\b(?P<zip>[A-Z]{{1,2}}\d[A-Z\d]?\s\d[A-Z]{{2}}|[A-Z]\d{{2}}\s[A-Z\d]{{4}})\b(?:,?\s+(?P<city>{_TOWN}))?"
    ),
)
_STREET = re.compile(
    r"(?:straße|strasse|str\.|weg|platz|allee|gasse|ring|ufer|damm|chaussee|hof)\s*\d"
    r"|\b(?:rue|avenue|av\.?|boulevard|bd|chemin|place|quai|impasse|route|allée|cours)\b"
    r"|\b(?:calle|c/|avda\.?|avenida|plaza|paseo|carrer|camino|ronda|polígono)"
    r"|\b(?:via|viale|piazza|corso|largo|strada)\b|\b(?:ul\.|ulica|al\.|aleja)\b|\b(?:rua|travessa|praça)\b"
    r"|\b(?:street|st\.?|road|rd\.?|lane|ln\.?|drive|dr\.?|way|court|square|close|park|parkway|pkwy|blvd|suite|ste)\b"
    r"|straat|laan|plein|\bjalan\b|\bjln\b|\bp\.?\s?o\.?\s?box\b|\bpostfach\b",
    re.IGNORECASE,
)
_STREET_WORD = re.compile(
    r"\b(?:street|st|road|rd|lane|ln|drive|dr|way|court|square|avenue|ave|boulevard|blvd|parkway|pkwy|highway|hwy"
    r"|terrace|place|crescent|close)\b\.?(?:\s(?:[NSEW]{1,2}|[nN]orth|[sS]outh|[eE]ast|[wW]est))?$|^[NSEW]{1,2}\s",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^\d{1,5}[a-zA-Z]?(?:[-/]\d+)?,?\s+[^\W\d_]|[^\W\d_]\.?\s+\d{1,4}\s?[a-zA-Z]?$")


@dataclass(frozen=True, slots=True)
class Town:
    """The postal code, town and state that a line names; ``start`` and ``end`` are its span."""

    zip: str
    city: str | None
    state: str | None
    start: int
    end: int


@lru_cache(maxsize=8192)
def find_town(text: str) -> Town | None:
    """The postal code and town in ``text``, None if there is none."""
    if not any(char.isdigit() for char in text):
        return None
    for form in _FORMS:
        match = form.search(text)
        if match is None:
            continue
        groups = match.groupdict()
        city = groups.get("city")
        if city is None:
            before = text[: match.start()].strip(" ,")
            city = before.rsplit(",", 1)[-1].strip() or None
            if city and any(char.isdigit() for char in city):
                city = None
        elif not city[0].isupper() or _STREET_WORD.search(city):
            continue
        return Town(
            groups["zip"],
            city.strip(" ,.-") if city else None,
            groups.get("state"),
            match.start(),
            match.end(),
        )
    return None


@lru_cache(maxsize=8192)
def is_street(text: str) -> bool:
    """Whether ``text`` reads like a street with its number, or a post box."""
    return bool(_STREET.search(text)) or bool(_NUMBERED.search(text.strip()) and len(text) < 60)
