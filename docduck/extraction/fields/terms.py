"""Terms of a vocabulary in eight languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import entries, word_set
from docduck.extraction.normal_text import key
from docduck.fields import FieldType

_WEAK = 0.3
"""The weight of a word that means little alone, such as "number"; others have 1."""
_MODIFIER = 0.5
"""The weight of a word that qualifies another, such as "annual"."""
_STEM = 6
"""Letters by which two words that the vocabulary lacks are taken for one."""
_LONGEST = 4
_COMPOUND = 4
"""Letters that each part of a compound has at least."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?|#")
_JOINTS = ("", "s", "es", "n", "en")
_MOST_DESCRIBED = 14
"""Words of a description's sentence at most."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase: the groups of the vocabulary that hold it, its stem, its weight 0–1, and itself."""

    groups: frozenset[int]
    stem: str
    weight: float
    word: str

    def means(self, other: Term) -> bool:
        """Whether two terms can mean the same."""
        return bool(self.groups & other.groups) or self.stem == other.stem


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """The terms of a field's name, and those of its description."""

    name: tuple[Term, ...]
    described: tuple[Term, ...] = ()

    @property
    def terms(self) -> tuple[Term, ...]:
        return (*self.name, *self.described)


@cache
def _vocabulary() -> dict[str, tuple[frozenset[int], float]]:
    vocabulary: dict[str, tuple[set[int], float]] = {}
    numbers = count()
    for weight, name in ((_WEAK, "weak"), (_MODIFIER, "modifiers"), (1.0, "groups")):
        for group, number in zip(entries("meanings")[name], numbers, strict=False):
            for phrase in group:
                words = [key(w) for w in _WORD.findall(str(phrase))]
                form = " ".join(w for w in words if w and (len(words) == 1 or w not in _idle()))
                if form:
                    held = vocabulary.setdefault(form, (set(), weight))
                    held[0].add(number)
    return {form: (frozenset(groups), weight) for form, (groups, weight) in vocabulary.items()}


@cache
def _idle() -> frozenset[str]:
    return word_set("idle", "meanings")


@lru_cache(maxsize=16384)
def _parts(word: str) -> tuple[Term, ...]:
    """Return the terms of one word: its own, or those of a compound's parts ("bruttolohn")."""
    known = _vocabulary().get(word)
    if known is not None:
        return (Term(known[0], word, known[1], word),)
    for cut in range(len(word) - _COMPOUND, _COMPOUND - 1, -1) if len(word) >= 2 * _COMPOUND else ():
        tail = _vocabulary().get(word[cut:])
        if tail is None:
            continue
        if tail[1] == _WEAK and cut >= _COMPOUND:
            return (*_parts(word[:cut].removesuffix("s")), Term(tail[0], word[cut:], tail[1], word[cut:]))
        for joint in _JOINTS:
            head = _vocabulary().get(word[: cut - len(joint)]) if word[:cut].endswith(joint) else None
            if head is not None and cut - len(joint) >= 3:
                return (
                    Term(head[0], word[:cut], head[1], word[:cut]),
                    Term(tail[0], word[cut:], tail[1], word[cut:]),
                )
    stem = word[:-1] if len(word) > 3 and word.endswith("s") else word
    single = _vocabulary().get(stem)
    groups, weight = single if single is not None else (frozenset[int](), 1.0)
    return (Term(groups, stem[:_STEM], weight, stem),)


def _terms_within(text: str) -> Iterator[Term]:
    """Yield the terms of ``text``; phrases of the vocabulary are one term."""
    words = [form for word in _WORD.findall(text) if (form := key(word))]
    at = 0
    while at < len(words):
        for size in range(min(_LONGEST, len(words) - at), 1, -1):
            form = " ".join(w for w in words[at : at + size] if w not in _idle())
            known = _vocabulary().get(form) if " " in form else None
            if known is not None and words[at] not in _idle():
                yield Term(known[0], form, known[1], form)
                at += size
                break
        else:
            if words[at] not in _idle() and not words[at].isdigit():
                yield from _parts(words[at])
            at += 1


@lru_cache(maxsize=16384)
def terms(text: str) -> tuple[Term, ...]:
    """Return the terms of a short text."""
    known = tuple(_terms_within(text))
    return known or tuple(t for word in _WORD.findall(text) if (form := key(word)) for t in _parts(form))


@lru_cache(maxsize=4096)
def query_terms(query: FieldQuery) -> QueryTerms:
    """Return the terms of a field; of a date's, those that say something."""
    sentence = query.description.sentence.text
    name = terms(" ".join(query.title.spelled))
    described = terms(sentence) if len(sentence.split()) <= _MOST_DESCRIBED else ()
    if query.type is FieldType.DATE:
        name, described = _solid(name), _solid(described)
    return QueryTerms(name, described)


def _solid(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return the terms that say something, if there are any."""
    return tuple(t for t in terms if t.weight == 1.0) or terms
