"""Names of companies and persons in running text, as printed but without what surrounds them."""

from __future__ import annotations

import re
from functools import cache

from docduck.extraction.extractors.layout.candidates.names import has_legal_form
from docduck.extraction.extractors.prose import lexicon

_KEPT_POINT = re.compile(
    r"(?:\b(?:Inc|Corp|Co|Ltd|Bros|Jr|Sr|Esq|al|[A-Z]\.[A-Z]|[SLNAB]\.[A-Za-z.]*[A-Za-z]|[A-Z])|\bd\.o\.o|\be\.V)\.$",
    re.IGNORECASE,
)
_ROLE_TAIL = re.compile(r"\s*[(“\"„«].*$", re.DOTALL)


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(lexicon.name_form())


@cache
def _legal_form() -> re.Pattern[str]:
    return re.compile(rf"(?:^|[\s,]){lexicon.data()['legal_form']}\.?(?:$|[\s,(])")


@cache
def _honorific() -> re.Pattern[str]:
    return re.compile(rf"^(?:(?!Dr|Prof){lexicon.any_of('honorific')}\s+)+(?=\w)")


def match_name(text: str, start: int, end: int | None = None) -> re.Match[str] | None:
    """Return the name that begins exactly at ``start``."""
    return _pattern().match(text, start, len(text) if end is None else end)


def tidy(name: str) -> str:
    """Return a name on one line, without role definitions and closing punctuation."""
    flat = " ".join(_ROLE_TAIL.sub("", name).split()).strip(" ,;:–—-_*“”\"'")
    if flat.endswith(".") and not _KEPT_POINT.search(flat):
        flat = flat[:-1]
    return flat


def without_honorific(name: str) -> str:
    """Return a name without "Mr", "Herrn" or "Don" before it; a doctor stays one."""
    return _honorific().sub("", name)


def is_company(name: str) -> bool:
    """Return whether a name carries a legal form, or a word that only organisations have."""
    if any(word.casefold().strip(",.") in lexicon.words("bodies") for word in name.split()):
        return len(name.split()) > 1
    return _legal_form().search(name) is not None or has_legal_form(name)


def is_legal_form(name: str) -> bool:
    """Return whether a would-be name is a legal form and nothing else ("Ltd.")."""
    return not re.search(r"\w", _legal_form().sub(" ", f" {name} "))


def is_person(name: str) -> bool:
    """Return whether a name reads like a person's: two to five capitalised words, initials allowed, no digits."""
    words = name.replace(",", " ").split()
    if not 2 <= len(words) <= 5 or any(char.isdigit() or char == "/" for char in name) or is_company(name):
        return False
    taken = lexicon.words("roles") | lexicon.words("not_names")
    solid = [word for word in words if word[:1].isupper()]
    return len(solid) >= 2 and not any(word.casefold().strip(".,") in taken for word in words)


def is_role(name: str) -> bool:
    """Return whether a would-be name is only a role ("the Company") or another defined term."""
    taken = lexicon.words("roles") | lexicon.words("not_names")
    return all(word.casefold().strip(".,’'“”\"") in taken or len(word) < 2 for word in name.split())


def is_same_name(a: str, b: str) -> bool:
    """Return whether two prints mean one name: the same words but for legal form and initials."""
    one, two = _core(a), _core(b)
    return bool(one) and bool(two) and (one <= two or two <= one)


def _core(name: str) -> frozenset[str]:
    bare = _legal_form().sub(" ", name)
    words = re.findall(r"\w+", bare.casefold())
    return frozenset(word for word in words if len(word) > 1 and word not in ("the", "of", "and"))
