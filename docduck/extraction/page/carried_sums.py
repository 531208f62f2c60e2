"""Lines that carry a sum over from one page of a table to the next, by their words."""

from __future__ import annotations

from functools import cache

from docduck.extraction.lexicon import entries, word_set
from docduck.extraction.normal_text import key, words_of
from docduck.extraction.values.currencies import is_currency_mark

_LONGEST = 12
"""Words of such a line at most."""


def is_carried(text: str, summed: bool) -> bool:
    """Return whether a line without its amounts says that it carries a sum over.

    Words that name goods as well ("Transport") say so only where the amount is the sum so far (``summed``).
    """
    words = [key(word) for word in words_of(text) if not is_currency_mark(word)]
    words = [word for word in words if word and not word.isdigit()][: _LONGEST + 1]
    if not words or len(words) > _LONGEST:
        return False
    about = _about()
    for phrase in _phrases("carried") | (_phrases("carried_or_goods") if summed else frozenset()):
        for at in range(len(words) - len(phrase) + 1):
            rest = words[:at] + words[at + len(phrase) :]
            if tuple(words[at : at + len(phrase)]) == phrase and all(word in about for word in rest):
                return True
    return False


@cache
def _about() -> frozenset[str]:
    """Return the words that such a line may have besides one of the phrases."""
    phrases = _phrases("carried") | _phrases("carried_or_goods")
    pages = word_set("page", "paging") | word_set("of", "paging")
    return word_set("carried_about", "tables") | pages | {word for phrase in phrases for word in phrase}


@cache
def _phrases(name: str) -> frozenset[tuple[str, ...]]:
    """Return the words of each phrase of a list."""
    return frozenset(tuple(key(word) for word in words_of(str(some))) for some in entries("tables")[name])
