"""Terms of a vocabulary in eight languages, and how many of them two texts share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
_DESCRIBED = 0.93
"""The factor for a likeness to the description rather than to the name."""
_MOST_DESCRIBED = 14
"""Words of a description's sentence at most."""
_INITIALS = re.compile(r"[A-Z]{2,5}")


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
class Spot:
    """A term and the characters of a text that show it."""

    term: Term
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """The terms of a field's name, those of its description, and the initials of its name."""

    name: tuple[Term, ...]
    described: tuple[Term, ...] = ()
    initials: str = ""

    @property
    def terms(self) -> tuple[Term, ...]:
        return (*self.name, *self.described)


@cache
def _vocabulary() -> dict[str, tuple[frozenset[int], float]]:
    found: dict[str, tuple[set[int], float]] = {}
    numbers = count()
    for weight, name in ((_WEAK, "weak"), (_MODIFIER, "modifiers"), (1.0, "groups")):
        for group, number in zip(entries("meanings")[name], numbers, strict=False):
            for phrase in group:
                words = [key(w) for w in _WORD.findall(str(phrase))]
                form = " ".join(w for w in words if w and (len(words) == 1 or w not in _idle()))
                if form:
                    held = found.setdefault(form, (set(), weight))
                    held[0].add(number)
    return {form: (frozenset(groups), weight) for form, (groups, weight) in found.items()}


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


def spots(text: str) -> list[Spot]:
    """Return the terms of ``text`` with their places; phrases of the vocabulary are one term."""
    words = [(key(m[0]), m.start(), m.end()) for m in _WORD.finditer(text)]
    words = [one for one in words if one[0]]
    found: list[Spot] = []
    at = 0
    while at < len(words):
        for size in range(min(_LONGEST, len(words) - at), 1, -1):
            form = " ".join(w for w, _, _ in words[at : at + size] if w not in _idle())
            known = _vocabulary().get(form) if " " in form else None
            if known is not None and words[at][0] not in _idle():
                found.append(
                    Spot(Term(known[0], form, known[1], form), words[at][1], words[at + size - 1][2])
                )
                at += size
                break
        else:
            word, start, end = words[at]
            if word not in _idle() and not word.isdigit():
                found += [Spot(term, start, end) for term in _parts(word)]
            at += 1
    return found


@lru_cache(maxsize=16384)
def terms(text: str) -> tuple[Term, ...]:
    """Return the terms of a short text."""
    found = tuple(spot.term for spot in spots(text))
    return found or tuple(t for word in _WORD.findall(text) if (form := key(word)) for t in _parts(form))


@lru_cache(maxsize=4096)
def query_terms(query: FieldQuery) -> QueryTerms:
    """Return the terms of a field; of a date's, those that say something."""
    title, sentence = query.title, query.description.sentence.text
    heads = [spelled for spelled, word in zip(title.spelled, title.words, strict=True) if word not in _idle()]
    initials = "".join(word[0] for word in heads).upper() if len(heads) > 1 else ""
    name = terms(" ".join(title.spelled))
    described = terms(sentence) if len(sentence.split()) <= _MOST_DESCRIBED else ()
    if query.type is FieldType.DATE:
        name, described = _solid(name), _solid(described)
    return QueryTerms(name, described, initials)


@lru_cache(maxsize=4096)
def range_terms(query: FieldQuery) -> QueryTerms:
    """Return the terms of a range of dates that the field is one end of; none if it is no end."""
    ends = terms("start") + terms("end")
    name = query_terms(query).name
    rest = tuple(t for t in name if not any(t.means(end) for end in ends))
    return QueryTerms(rest if len(rest) < len(name) else ())


def _solid(some: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return the terms that say something, if there are any."""
    return tuple(t for t in some if t.weight == 1.0) or some


def covered(expected: Sequence[Term], held: Iterable[Term]) -> float:
    """Return the share, 0–1 by weight, of ``expected`` that ``held`` means; 0 if only weak words agree."""
    some = list(held)
    total = hit = 0.0
    solid = False
    for term in expected:
        total += term.weight
        if any(term.means(other) for other in some):
            hit += term.weight
            solid = solid or term.weight == 1.0
    return hit / total if total and (solid or hit == total) else 0.0


def likeness(expected: QueryTerms, label: str) -> float:
    """Return how much a label announces a field with these terms, 0–1."""
    held = terms(label)
    if not held:
        return 0.0
    if expected.initials and any(m[0] == expected.initials for m in _INITIALS.finditer(label)):
        return 0.9
    best = 0.0
    for some, factor in ((expected.name, 1.0), (expected.described, _DESCRIBED)):
        share = covered(some, held)
        if share:
            best = max(best, factor * share * (0.6 + 0.4 * covered(held, expected.terms)))
    return best
