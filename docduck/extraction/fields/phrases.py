"""Short texts in their normal forms, and a description in the parts that say what a field is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from docduck.extraction.normal_text import key, words_of

_SENTENCE = re.compile(r"[;.]|,\s(?:that|which|who|if)\s")
_CLAUSE = re.compile(r"[;,(]| for example| if | such as|\. |\.$| or ")
_NOUN_PHRASE = re.compile(r"[,;.]|\s(?:that|which|who|whose|on|as|if|in|for|from|with)\s")
_BRACKETS = re.compile(r"\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A short text: ``key`` is its normal form, ``spelled`` its words and ``words`` their normal forms.

    A word without letters and digits has the normal form "".
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


class Description:
    """A description, empty if the field has none, and its parts that are compared with names."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def whole(self) -> Phrase:
        """The whole description."""
        return Phrase.of(self.text)

    @cached_property
    def headline(self) -> Phrase:
        """The description up to its first semicolon."""
        return Phrase.of(self.text.split(";")[0])

    @cached_property
    def sentence(self) -> Phrase:
        """Its first sentence without relative clauses and brackets."""
        return Phrase.of(_SENTENCE.split(_BRACKETS.sub(" ", self.text))[0])

    @cached_property
    def clause(self) -> Phrase:
        """Its first clause, without examples, conditions and alternatives."""
        return Phrase.of(_CLAUSE.split(self.text, maxsplit=1)[0].strip())

    @cached_property
    def noun_phrase(self) -> Phrase:
        """Its first noun phrase in lower case, without brackets: "name of the tenant"."""
        return Phrase.of(_NOUN_PHRASE.split(_BRACKETS.sub(" ", self.text).casefold())[0])
