"""How much a text in a form or table is what a field is called."""

from __future__ import annotations

import re

from docduck.extraction.targets import Target
from docduck.extraction.values.text import key, squeeze, words_of

_ASIDE = re.compile(r"\s*[(\[][^)\]]*[)\]]|[\s:*†]+$")
_FILLERS = frozenset({"", "the", "of", "a", "an", "de", "la", "le", "der", "die", "das", "del", "your", "di"})
_LONGEST = 80
_WORDS = 0.9


def likeness(target: Target, text: str) -> float:
    """0–1: a label of the target, with or without what stands in brackets, or the share of common words."""
    whole = squeeze(text)
    if not whole or len(whole) > _LONGEST:
        return 0.0
    bare = _ASIDE.sub("", whole)
    weight = max(target.weight(key(whole)), 0.98 * target.weight(key(bare)))
    if weight:
        return weight
    words = {key(word) for word in words_of(bare)} - _FILLERS
    wanted = {key(word) for word in words_of(target.name)} - _FILLERS
    common = len(words & wanted)
    return _WORDS * common / len(words | wanted) if common else 0.0
