"""Terms of the thesaurus, and how many of them two texts share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.meanings import UNKNOWN, phrases
from docduck.extraction.lexicon.thesaurus import Reading, thesaurus
from docduck.extraction.normal_text import key
from docduck.fields import FieldType

_WEAK = 0.3
"""The weight of a word that means little alone, such as "number"; others have 1."""
_STEM = 6
"""Letters by which two words that the thesaurus lacks are taken for one."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?|#")
_DESCRIBED = 0.93
"""The factor for a likeness to the description rather than to the name."""
_MOST_DESCRIBED = 14
"""Words of a description's sentence at most."""
_INITIALS = re.compile(r"[A-Z]{2,5}")


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase: the atoms that it may mean, its stem, its weight 0–1, and itself."""

    groups: frozenset[str]
    stem: str
    weight: float
    word: str

    def means(self, other: Term) -> bool:
        """Whether two terms can mean the same."""
        return not self.near.isdisjoint(other.groups) or self.stem == other.stem

    @property
    def near(self) -> frozenset[str]:
        """The atoms of the term, and those that are near to them."""
        return _near(self.groups)


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


@lru_cache(maxsize=16384)
def _near(atoms: frozenset[str]) -> frozenset[str]:
    related = thesaurus().related
    return atoms.union(*(related.get(atom, ()) for atom in atoms))


@lru_cache(maxsize=16384)
def _terms_of(readings: tuple[Reading, ...], word: str) -> tuple[Term, ...]:
    """Return the terms of a word with these readings: one that may mean several things, or one per atom."""
    longest = max(readings[:2], key=len)
    if len(longest) > 1:
        some = (frozenset({atom}) for atom in sorted(longest) if not atom.startswith(UNKNOWN))
        return tuple(term for atom in some for term in _terms_of((atom,), min(atom)))
    atoms = frozenset[str]().union(*(reading for reading in readings if len(reading) == 1))
    if min(atoms).startswith(UNKNOWN):
        bare = word[:-1] if len(word) > 3 and word.endswith("s") else word
        return (Term(frozenset(), bare[:_STEM], 1.0, bare),)
    return (Term(atoms, word, _WEAK if atoms <= thesaurus().generic else 1.0, word),)


def spots(text: str) -> list[Spot]:
    """Return the terms of ``text`` with their places; phrases of the thesaurus are one term."""
    words = [(m[0], m.start(), m.end()) for m in _WORD.finditer(text)]
    forms = [key(word) for word, _, _ in words]
    return [
        Spot(term, words[phrase.start][1], words[phrase.end - 1][2])
        for phrase in phrases(forms)
        for readings in phrase.parts
        for term in _terms_of(readings, "".join(forms[phrase.start : phrase.end]))
    ]


@lru_cache(maxsize=16384)
def terms(text: str) -> tuple[Term, ...]:
    """Return the terms of a short text."""
    found = tuple(spot.term for spot in spots(text))
    forms = filter(None, map(key, _WORD.findall(text)))
    return found or tuple(Term(frozenset(), form, 1.0, form) for form in forms)


@lru_cache(maxsize=4096)
def query_terms(query: FieldQuery) -> QueryTerms:
    """Return the terms of a field; of a date's, those that say something."""
    title, sentence = query.title, query.description.sentence.text
    idle = thesaurus().idle
    heads = [spelled for spelled, word in zip(title.spelled, title.words, strict=True) if word not in idle]
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
