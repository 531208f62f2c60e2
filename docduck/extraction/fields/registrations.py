"""Fields and labels of the numbers that register a party, such as a VAT number."""

from __future__ import annotations

from functools import cache, lru_cache

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.issuers import addressed
from docduck.extraction.fields.meanings import meanings_of
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import acronyms, key, words_of
from docduck.fields import FieldType

_KINDS = (frozenset({"tax", "number"}), frozenset({"company", "number"}), frozenset({"national_id"}))
"""Meanings of the labels of such numbers; a code counts as a number."""
_WORDS = frozenset().union(*_KINDS, ("reference", "identity_document", "code"))


@lru_cache(maxsize=4096)
def asked_side(query: FieldQuery) -> str | None:
    """Return whose registration number a field asks for, ``seller`` or ``buyer``; None if it asks for none.

    A party that is neither is taken for the one that issues the document. A field that the lexicon knows as
    one of this side asks for none.
    """
    if query.type is not FieldType.TEXT or not _is_registration(query.name):
        return None
    side = None
    if says_addressee(query.name):
        side = "buyer"
    elif _says_more(query.name):
        side = "seller"
    known = query.concept is not None and (query.concept.kind != "vat" or query.concept.side == side)
    return None if known else side


def says_addressee(text: str) -> bool:
    """Return whether a text says that a number is of whom the document is addressed to."""
    return not meanings_of(text).isdisjoint(_addressed())


@lru_cache(maxsize=16384)
def is_registration_label(text: str) -> bool:
    """Return whether a label announces such a number and says nothing else."""
    return _is_registration(text) and not _says_more(text)


def is_same_registration(name: str, label: str) -> bool:
    """Return whether two texts can mean the same of these numbers."""
    return any(kind <= _said(name) & _said(label) for kind in _KINDS)


@cache
def _addressed() -> frozenset[str]:
    """Return whom documents are addressed to, but for what numbers themselves are called."""
    return addressed() - {"taxpayer"}


def _is_registration(text: str) -> bool:
    return any(kind <= _said(text) for kind in _KINDS)


@lru_cache(maxsize=16384)
def _said(text: str) -> frozenset[str]:
    """Return the meanings of a text and, for short words such as "EIN", of each of its words."""
    said = meanings_of(text).union(*map(meanings_of, acronyms(text)))
    return said | {"number"} if "code" in said else said


def _says_more(text: str) -> bool:
    idle = word_set("idle", "meanings")
    named = (word for word in words_of(text) if len(word) > 1 and key(word) not in idle)
    return any(not meanings_of(word) & _WORDS for word in named)
