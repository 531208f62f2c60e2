"""Unique, clean names for suggested fields, and whether a printed text can be one."""

from __future__ import annotations

import re

from docduck.extraction.fields.meanings import share_known
from docduck.extraction.lexicon import word_set
from docduck.extraction.lexicon.thesaurus import thesaurus
from docduck.extraction.normal_text import fold, key, squeeze
from docduck.extraction.values.dates import find_dates

_EDGES = " \t:;*•·-–—_.,=()[]|/"
_LONGEST = 60
_LONGEST_ACRONYM = 4
_MOST_WORDS = 5
_FEWEST_LETTERS = 3
_NO_NAME = re.compile(
    r"[:@]|https?$|www\.|\d[.,:/]\d|\d\d\s*$|^\W*\d+\W*\D?$|[*_?!“”\"]{2}|[.!?;,]\s+\S+\s+\S+\s",
    re.IGNORECASE,
)
"""Addresses, numbers with separators, long ones at the end, numbers alone, and more than one sentence."""
_INITIALS = re.compile(r"(?:^|\s)[A-Z]\.\s*[A-Z][a-z]+|^[A-Z]\s[A-Z]\b")


def cleaned(label: str) -> str:
    """Return a printed label as a name: without punctuation at its ends and not in capitals."""
    text = squeeze(label).lstrip(_EDGES).rstrip(_EDGES + "#")[:_LONGEST].strip()
    for opening, closing in ("()", "[]"):
        if text.count(opening) > text.count(closing):
            text = text + closing if closing in label else text[: text.rindex(opening)].rstrip(_EDGES)
    return text.title() if text.isupper() and len(text) > _LONGEST_ACRONYM else text


def without_last(name: str) -> str:
    """Return a name without the articles and prepositions at its end: "Statement of"."""
    words = name.split()
    while len(words) > 1 and fold(words[-1]) in thesaurus().idle:
        words.pop()
    return " ".join(words)


def is_known(name: str) -> bool:
    """Return whether the thesaurus has all words of a name."""
    return share_known(name) == 1.0


def is_name(name: str) -> bool:
    """Return whether somebody could call a field so: few words, and no value, contact or sentence."""
    words = name.split()
    letters = sum(map(str.isalpha, name))
    if (
        not words
        or len(words) > _MOST_WORDS
        or letters < _FEWEST_LETTERS
        or letters <= sum(map(str.isdigit, name))
    ):
        return False
    form = key(name)
    if not form or any(form in word_set(group, "naming") for group in ("meaningless", "contacts", "margins")):
        return False
    if words[0].islower() and (len(words) == 1 or words[0] in word_set("openings", "naming")):
        return False
    if _NO_NAME.search(name) or find_dates(name) or {fold(word) for word in words} <= thesaurus().idle:
        return False
    return is_known(name) or not (_is_somebody(name) or any(map(str.isdigit, name)))


def _is_somebody(name: str) -> bool:
    """Return whether a text looks like the name of a person or company."""
    words = [key(word) for word in name.split()]
    return (
        bool(_INITIALS.search(name))
        or words[0] in word_set("salutations") | word_set("greetings")
        or words[-1] in word_set("legal_forms")
    )


class Names:
    """Hands out unique names; two spellings of a name are one name."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def is_free(self, name: str) -> bool:
        """Whether ``name`` is one and not taken."""
        return bool(key(name)) and key(name) not in self._taken

    def take(self, name: str) -> str:
        """Return ``name``, or it with a number if it is taken."""
        fresh, number = name, 2
        while not self.is_free(fresh):
            fresh, number = f"{name or 'Field'} {number}", number + 1
        self._taken.add(key(fresh))
        return fresh
