"""Names of companies and persons in running text."""

from __future__ import annotations

import re
from functools import cache

from docduck.extraction.extractors.layout.candidates.names import has_legal_form
from docduck.extraction.extractors.prose import lexicon
from docduck.extraction.lexicon import entries

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
    return re.compile(rf"(?:^|[\s,]){entries('prose')['legal_form']}\.?(?:$|[\s,(])")


@cache
def _honorific() -> re.Pattern[str]:
    return re.compile(rf"^(?:(?!Dr|Prof){lexicon.any_of('honorific')}\s+)+(?=\w)")


def match_name(text: str, start: int, end: int | None = None) -> re.Match[str] | None:
    """Return the match of a name that begins exactly at ``start``."""
    return _pattern().match(text, start, len(text) if end is None else end)


def tidy(name: str) -> str:
    """Return a name on one line, without role definitions and closing punctuation."""
    flat = " ".join(_ROLE_TAIL.sub("", name).split()).strip(" ,;:–—-_*“”\"'")
    if flat.endswith(".") and not _KEPT_POINT.search(flat):
        flat = flat[:-1]
    return flat


def without_honorific(name: str) -> str:
    """Return a name without "Mr", "Herrn" or "Don" before it; "Dr" stays."""
    return _honorific().sub("", name)


def is_company(name: str) -> bool:
    """Return whether a name has a legal form, or a word that only organisations have."""
    if any(word.casefold().strip(",.") in lexicon.words("bodies") for word in name.split()):
        return len(name.split()) > 1
    return _legal_form().search(name) is not None or has_legal_form(name)


def is_legal_form(name: str) -> bool:
    """Return whether a text is only a legal form ("Ltd.")."""
    return not re.search(r"\w", _legal_form().sub(" ", f" {name} "))


def is_person(name: str) -> bool:
    """Return whether a name looks like a person's: two to five words, at least two capitalised, no digits."""
    words = name.replace(",", " ").split()
    if not 2 <= len(words) <= 5 or any(char.isdigit() or char == "/" for char in name) or is_company(name):
        return False
    excluded = lexicon.words("roles") | lexicon.words("not_names")
    capitalised = [word for word in words if word[:1].isupper()]
    return len(capitalised) >= 2 and not any(word.casefold().strip(".,") in excluded for word in words)


def is_role(name: str) -> bool:
    """Return whether a text is only a role ("the Company") or another defined term."""
    excluded = lexicon.words("roles") | lexicon.words("not_names")
    return all(word.casefold().strip(".,’'“”\"") in excluded or len(word) < 2 for word in name.split())


def is_same_name(a: str, b: str) -> bool:
    """Return whether two texts are the same name, apart from legal form and initials."""
    first, second = _core(a), _core(b)
    return bool(first) and bool(second) and (first <= second or second <= first)


def _core(name: str) -> frozenset[str]:
    bare = _legal_form().sub(" ", name)
    words = re.findall(r"\w+", bare.casefold())
    return frozenset(word for word in words if len(word) > 1 and word not in ("the", "of", "and"))
