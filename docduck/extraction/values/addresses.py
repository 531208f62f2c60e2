"""Postal addresses in national forms: the line with postal code and town, and its parts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache, partial

from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key
from docduck.extraction.values.contacts import MAIL, WEB, find_phones

_MAX_LINE = 300
"""Maximum length of a line that is searched for a town; longer ones are prose."""
_TOWN = r"[^\W\d_][\w'’.\-/()]*(?:\s(?:[^\W\d_][\w'’.\-/()]*)){0,4}"
_FORMS = (
    # United States: Town, ST 12345
    re.compile(rf"(?P<city>{_TOWN}),?\s+(?P<state>[A-Z]{{2}})\.?,?\s+(?P<zip>\d{{5}}(?:-\d{{4}})?)\b"),
    # Canada: Town ON K1A 0B1; Australia: Town NSW 2000
    re.compile(rf"(?P<city>{_TOWN}),?\s+(?P<state>[A-Z]{{2}}),?\s+(?P<zip>[A-Z]\d[A-Z]\s?\d[A-Z]\d)\b"),
    re.compile(rf"(?P<city>{_TOWN}),?\s+(?P<state>NSW|VIC|QLD|WA|SA|TAS|ACT|NT)\s+(?P<zip>\d{{4}})\b"),
    # Singapore 408600; India: Road, Town - 560001; Brazil: 01310-100 Town; Japan: 〒100-0001
    re.compile(r"(?P<city>Singapore|SINGAPORE)\s+\(?(?P<zip>\d{6})\b"),
    re.compile(rf"(?<=, )(?P<city>{_TOWN})\s?[-–]\s?(?P<zip>\d{{6}})\b"),
    re.compile(rf"(?<![\w-])(?P<zip>\d{{5}}-\d{{3}})(?![\d-])(?:,?\s+(?P<city>{_TOWN}))?"),
    re.compile(rf"〒\s?(?P<zip>\d{{3}}-\d{{4}})(?:,?\s+(?P<city>{_TOWN}))?"),
    # Netherlands 1234 AB Town, Portugal 1234-567 Town, Poland 12-345 Town, Sweden 123 45 Town
    re.compile(rf"\b(?:[A-Z]{{1,3}}[- ])?(?P<zip>\d{{4}}\s?[A-Z]{{2}})\s+(?P<city>{_TOWN})"),
    re.compile(
        rf"\b(?:[A-Z]{{1,3}}[- ])?(?P<zip>\d{{4}}-\d{{3}}|\d{{2}}-\d{{3}}|\d{{3}}\s\d{{2}})\s+"
        rf"(?P<city>{_TOWN})"
    ),
    # Continental: D-12345 Town, F-75001 Town, 1010 Town
    re.compile(rf"(?<![\w,.\-/+])(?:[A-Z]{{1,3}}[- ]\s?)?(?P<zip>\d{{4,5}}),?\s+(?P<city>{_TOWN})"),
    # Russia: 101000, г. Москва
    re.compile(rf"(?<![\w,.\-/+])(?P<zip>\d{{6}}),?\s+(?P<city>(?=[Ѐ-ӿ]){_TOWN})"),
    # The same without the space
    re.compile(rf"(?<![\w,.\-/+])(?:[A-Z]{{1,3}}[- ]\s?)?(?P<zip>\d{{5}})(?P<city>(?=[^\W\d_]{{4}}){_TOWN})"),
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
    r"|\d\s?(?:丁目|番地|[号號])|[路街道巷]\s?\d|(?:로|길)\s?\d"
    r"|straat|laan|plein|\bjalan\b|\bjln\b|\bp\.?\s?o\.?\s?box\b|\bpostfach\b",
    re.IGNORECASE,
)
_ENGLISH_STREET = re.compile(
    r"\b(?:street|st|road|rd|lane|ln|drive|dr|way|court|square|close|park|parkway|pkwy|blvd|suite|ste)\b",
    re.IGNORECASE,
)
"""Words that also occur in names: a street only with a number."""
_STREET_WORD = re.compile(
    r"\b(?:street|st|road|rd|lane|ln|drive|dr|way|court|square|avenue|ave|boulevard|blvd|parkway|pkwy|highway|hwy"
    r"|terrace|place|crescent|close)\b\.?(?:\s(?:[NSEW]{1,2}|[nN]orth|[sS]outh|[eE]ast|[wW]est))?$|^[NSEW]{1,2}\s",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"[\s,.:;()\[\]/-]+")
_CODE = re.compile(r"(?<![\w-])\d{5}[\s,.]*([^\W\d_]{2,})")
_MISREAD_CODE = re.compile(r"(?<![\w-])(?=(?:\D?\d){3})[\dOBSIlZ]{5}\s+[^\W\d_]{3,}")
_CODE_AT_END = re.compile(r"[^\W\d_]{3}[\s,.]*\d{5}[\s,.]*$")
_HOUSE = re.compile(
    r"(?:no\.?|lot|unit|suite|#|nr\.?|g-?\d|[A-Z]?-?\d{1,5}[A-Za-z]?)[\s,.:-]*(?=\S)", re.IGNORECASE
)
_CONTACT = re.compile(r"(?<![\w])([^\W\d_]{2,}(?:/[^\W\d_])?)\.?(?:\s?no\.?)?\s?[:)]", re.IGNORECASE)
_NOTES_ALONE = frozenset({"formerly", "licensee", "www", "http", "https"})
_NUMBERED = re.compile(
    r"^\d{1,5}[a-zA-Z]?(?:[-/]\d+)?,?\s+[^\W\d_]|[^\W\d_]\.?\s+(?!(?:19|20)\d\d$)\d{1,4}\s?[a-zA-Z]?$"
)
"""A street with its number before or behind it. A year is none: "Committee for Harbours 2020"."""

_words = partial(word_set, group="places")


@dataclass(frozen=True, slots=True)
class Town:
    """The postal code, town and state in a line; ``start`` and ``end`` are its span."""

    zip: str
    city: str | None
    state: str | None
    start: int
    end: int


@lru_cache(maxsize=8192)
def find_town(text: str) -> Town | None:
    """Return the postal code and town in ``text``, None if there is none."""
    if len(text) > _MAX_LINE or not any(char.isdigit() for char in text):
        return None
    for match in (match for form in _FORMS for match in form.finditer(text)):
        groups = match.groupdict()
        city = groups.get("city")
        if city is None:
            before = text[: match.start()].strip(" ,")
            city = before.rsplit(",", 1)[-1].strip() or None
            if city and any(char.isdigit() for char in city):
                city = None
        elif city[0].islower() or _STREET_WORD.search(city) or key(city.split()[0]) in _not_towns():
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
    """Return whether ``text`` looks like a street with its number, or a post box."""
    if _STREET.search(text):
        return True
    if not any(char.isdigit() for char in text):
        return False
    return bool(_ENGLISH_STREET.search(text)) or bool(_NUMBERED.search(text.strip()) and len(text) < 60)


@cache
def _not_towns() -> frozenset[str]:
    """Return words that begin no town: legal forms, and words of three letters or more for streets."""
    words = _words("streets") | _words("parts")
    return word_set("legal_forms") | frozenset(word for word in words if len(word) > 2)


@lru_cache(maxsize=8192)
def is_company_note(text: str) -> bool:
    """Return whether a line is a registration, tax or telephone number, or a web address."""
    if len(text) > _MAX_LINE:
        return False
    bare = text.strip(" *-–.")
    if MAIL.search(bare) or WEB.fullmatch(bare):
        return True
    words = [key(word) for word in _SPLIT.split(bare) if key(word)]
    if not words or (":" in bare and find_phones(bare) and find_town(bare) is None):
        return True
    if ":" in bare and key(bare.partition(":")[0]) in _words("notes"):
        return True
    digits, letters = sum(c.isdigit() for c in bare), sum(c.isalpha() for c in bare)
    if words[0] in _words("notes") and (digits >= 4 or len(words) <= 3 or words[0] in _NOTES_ALONE):
        return True
    if len(words) > 1 and words[1] in _words("notes") and digits >= 5 and find_town(bare) is None:
        return True
    bracketed = bare.startswith(("(", "[")) and digits >= 4
    if bracketed and find_town(bare) is None:
        return True
    return digits >= 6 and digits > letters and find_town(bare) is None


@lru_cache(maxsize=8192)
def address_weight(text: str) -> float:
    """Return how much a line looks like part of a postal address, 0–1."""
    bare = text.strip(" ,.;")
    if not bare or len(bare) > _MAX_LINE or is_company_note(bare):
        return 0.0
    words = [key(word) for word in _SPLIT.split(bare)]
    weight = 0.0
    digits = any(char.isdigit() for char in bare)
    if names_town(bare):
        weight += 0.6
    if any(word in _words("streets") for word in words) or is_street(bare):
        weight += 0.5 if digits else 0.4
    if any(word in _words("parts") for word in words):
        weight += 0.4
    if _HOUSE.match(bare):
        weight += 0.3
    if is_region(bare) or words[-1] in _words("regions"):
        weight += 0.4
    if bare.count(",") and weight:
        weight += 0.1
    return min(weight, 1.0)


@lru_cache(maxsize=8192)
def names_town(text: str) -> bool:
    """Return whether ``text`` has a postal code with its town, even glued to words or misread by OCR."""
    if find_town(text) is not None or _MISREAD_CODE.search(text):
        return True
    return any(key(match[1]) not in _not_towns() for match in _CODE.finditer(text))


def ends_in_code(text: str) -> bool:
    """Return whether a line ends in a postal code whose town is on the next line."""
    return _CODE_AT_END.search(text) is not None


@lru_cache(maxsize=8192)
def contact_start(text: str) -> int:
    """Return where telephone numbers and other contact data begin in a line; its length if it has none."""
    for match in _CONTACT.finditer(text):
        if (
            match.start()
            and key(match[1]) in _words("notes")
            and any(c.isdigit() for c in text[match.end() :])
        ):
            return match.start()
    return len(text)


@lru_cache(maxsize=8192)
def is_region(text: str) -> bool:
    """Return whether a line consists of states, provinces or countries."""
    known = _words("regions") | word_set("countries")
    parts = [key(part) for part in re.split(r"[,;.]|\s[-–]\s", text) if key(part)]
    return bool(parts) and all(part in known for part in parts)


def without_address_label(text: str) -> int:
    """Return where the address begins in a line such as "HQ Add: Lot 3"; 0 if it has no label."""
    head, colon, _ = text.partition(":")
    words = [key(word) for word in head.split()]
    known = _words("address_labels")
    if colon and 0 < len(words) <= 3 and (key(head) in known or any(w in known for w in words)):
        return len(head) + 1
    return 0
