"""Fields that ask who issues a document ("Hotel", "Versicherer"), or who is addressed ("Patient")."""

from __future__ import annotations

from functools import cache, lru_cache

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.meanings import asks_for_number, may_mean, meanings_of
from docduck.extraction.lexicon import entries, word_set
from docduck.extraction.lexicon.thesaurus import thesaurus
from docduck.fields import FieldType

_HOLDERS = frozenset({"holder", "owner"})
_SPANS = frozenset({"begin", "valid", "period"})
"""Meanings of names whose last word says since when, not by whom."""
_MOST_WORDS = 3
_END = 5
"""Letters of a word that may end another, as in "Autowerkstatt"."""


@cache
def addressed() -> frozenset[str]:
    """Return the meanings of what documents call those whom they are addressed to."""
    return frozenset(entries("meanings")["addressed"])


@lru_cache(maxsize=4096)
def is_addressee(query: FieldQuery) -> bool:
    """Return whether a field asks for the name of whom the document is addressed to."""
    if query.type is not FieldType.TEXT or query.kind != "text":
        return False
    said = meanings_of(query.name)
    held = not said.isdisjoint(_HOLDERS) and is_somebody(query)
    return held or said == {"name"} or may_mean(query.name, addressed())


@lru_cache(maxsize=4096)
def is_somebody(query: FieldQuery) -> bool:
    """Return whether the name of a field says that its value names a person or company.

    Words for money may say what somebody holds: "deposit holder". A name may ask who did something: "Approved
    by", but not "Gültig von".
    """
    if query.type is not FieldType.TEXT:
        return False
    names, amounts, said = _atoms_of("name"), _atoms_of("amount"), meanings_of(query.name)
    held = not said.isdisjoint(_HOLDERS) and may_mean(query.name, names | amounts)
    did = len(query.title.words) > 1 and query.title.words[-1] in word_set("agents", "asking")
    return held or (did and said.isdisjoint(_SPANS)) or may_mean(query.name, names)


@cache
def _atoms_of(kind: str) -> frozenset[str]:
    return frozenset(atom for atom, atom_kind in thesaurus().kinds.items() if atom_kind == kind)


@lru_cache(maxsize=4096)
def is_issuer(query: FieldQuery) -> bool:
    """Return whether a field asks who issues the document, by what such organisations are called."""
    idle = word_set("idle", "meanings") | word_set("name_words", "asking")
    words = [word for word in query.title.words if word and word not in idle]
    if query.type is not FieldType.TEXT or not words or len(words) > _MOST_WORDS:
        return False
    if query.concept is not None and query.concept.side not in (None, "seller"):
        return False
    if asks_for_number(query.name):
        return False
    if may_mean(query.name, frozenset(entries("meanings")["issuers"])):
        return True
    known = word_set("issuing", "meanings")
    ends = tuple(form for form in known if len(form) >= _END)
    heads = [words[-1]]
    if len(query.title.words) > 2 and query.title.words[1] in idle:
        heads.append(words[0])
    return any(word in known or word.endswith(ends) for word in heads)
