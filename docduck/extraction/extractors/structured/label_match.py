"""How much a text in a form or table is a label of a field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.phrases import Phrase
from docduck.extraction.normal_text import key, squeeze

_ASIDE = re.compile(r"\s*[(\[][^)\]]*[)\]]|[\s:*†]+$")
_FILLERS = frozenset({"", "the", "of", "a", "an", "de", "la", "le", "der", "die", "das", "del", "your", "di"})
_LONGEST = 80
_BARE, _WORDS = 0.98, 0.9


@dataclass(frozen=True, slots=True)
class LabelText:
    """A text as a label: its normal form, the one without what is in brackets, and its words."""

    whole: str
    bare: str
    words: frozenset[str]


@lru_cache(maxsize=65536)
def as_label(text: str) -> LabelText | None:
    """Return ``text`` as a label; None if it is empty or too long for one."""
    whole = squeeze(text)
    if not whole or len(whole) > _LONGEST:
        return None
    bare = _ASIDE.sub("", whole)
    return LabelText(key(whole), key(bare), frozenset(Phrase.of(bare).words) - _FILLERS)


def label_weight(query: FieldQuery, text: str) -> float:
    """Return how much a text is a label of a field, 0–1.

    By its labels, with or without what is in brackets, else by the share of words common with its name.
    """
    read = as_label(text)
    if read is None:
        return 0.0
    weight = max(query.weight(read.whole), _BARE * query.weight(read.bare))
    if weight:
        return weight
    query_words = frozenset(query.title.words) - _FILLERS
    common = len(read.words & query_words)
    return _WORDS * common / len(read.words | query_words) if common else 0.0


def sure_forms(query: FieldQuery, least: float) -> Iterator[tuple[str, bool]]:
    """Yield the forms from which a text is a label with a likeness of ``least``, more than words can have.

    Each comes with whether it must be the text's whole form, or may be what is left without brackets.
    """
    for form in query.forms:
        weight = query.weight(form)
        if weight >= least:
            yield form, True
        if _BARE * weight >= least:
            yield form, False
