"""A short text in its normal forms."""

from __future__ import annotations

from dataclasses import dataclass

from docduck.extraction.normal_text import key, words_of


@dataclass(frozen=True, slots=True)
class Phrase:
    """A short text: ``key`` is its normal form, ``spelled`` its words and ``words`` their normal forms.

    A word without Latin letters and digits has the normal form "".
    """

    text: str
    key: str
    spelled: tuple[str, ...]
    words: tuple[str, ...]

    @staticmethod
    def of(text: str) -> Phrase:
        """Return the normal forms of ``text``."""
        spelled = tuple(words_of(text))
        return Phrase(text, key(text), spelled, tuple(key(word) for word in spelled))
