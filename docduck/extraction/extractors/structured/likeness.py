"""How much a text in a form or table is what a field is called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.normal_text import key, squeeze, words_of

_ASIDE = re.compile(r"\s*[(\[][^)\]]*[)\]]|[\s:*†]+$")
_FILLERS = frozenset({"", "the", "of", "a", "an", "de", "la", "le", "der", "die", "das", "del", "your", "di"})
_LONGEST = 80
_BARE, _WORDS = 0.98, 0.9


@dataclass(frozen=True, slots=True)
class Label:
    """A text as a label: its normal form, the one without what stands in brackets, and its words."""

    whole: str
    bare: str
    words: frozenset[str]


@lru_cache(maxsize=65536)
def label(text: str) -> Label | None:
    """``text`` as a label; None if it is empty or too long for one."""
    whole = squeeze(text)
    if not whole or len(whole) > _LONGEST:
        return None
    bare = _ASIDE.sub("", whole)
    return Label(key(whole), key(bare), _words(bare))


def likeness(target: FieldQuery, text: str) -> float:
    """0–1: a label of the target, with or without what stands in brackets, or the share of common words."""
    read = label(text)
    if read is None:
        return 0.0
    weight = max(target.weight(read.whole), _BARE * target.weight(read.bare))
    if weight:
        return weight
    wanted = _words(target.name)
    common = len(read.words & wanted)
    return _WORDS * common / len(read.words | wanted) if common else 0.0


def sure_forms(target: FieldQuery, least: float) -> Iterator[tuple[str, bool]]:
    """The forms from which a text is the target with a likeness of ``least``, more than words can have.

    Each comes with whether it must be the text's whole form, or may be what is left without brackets.
    """
    for form in target.forms:
        weight = target.weight(form)
        if weight >= least:
            yield form, True
        if _BARE * weight >= least:
            yield form, False


@lru_cache(maxsize=4096)
def _words(name: str) -> frozenset[str]:
    return frozenset(key(word) for word in words_of(name)) - _FILLERS
