"""The concept of the lexicon that a field means, and the kind of its values."""

from __future__ import annotations

from functools import cache

from docduck.extraction.fields.meanings import contact_asked, likeness
from docduck.extraction.fields.phrases import Description, Phrase
from docduck.extraction.lexicon import Concept, concepts, scalar_concepts
from docduck.extraction.normal_text import key
from docduck.extraction.values.currencies import CODES
from docduck.fields import NUMERIC, Field, FieldType

_NUMERIC = frozenset({"amount", "percent", "number"})
_BY_LAST_WORD = {
    "number": "identifier", "no": "identifier", "nr": "identifier", "id": "identifier", "code": "identifier",
    "reference": "identifier", "ref": "identifier", "nummer": "identifier", "email": "mail", "mail": "mail",
    "phone": "phone", "telephone": "phone", "website": "web", "url": "web", "iban": "iban", "bic": "bic",
    "address": "address",
}  # fmt: skip
_CONTACTS = {"phone": "phone", "mobile": "phone", "fax": "phone", "email": "mail", "website": "web"}
"""Kinds of contacts by their meaning."""
_NUMBERS = frozenset({"no", "nr", "nummer", "numero", "numer", "cislo", "num", "n"})
_NUMBERED = ("nummer", "nr")
"""Words that make a field's name that of a number, and the ends of such words."""
_AMOUNT_AS_TEXT = 0.7
"""The factor for an amount as the meaning of a text field: "VAT" is the number rather than the tax then."""
_ENOUGH = 0.6
_DESCRIBED, _DESCRIBED_WORDS = 0.3, 14
"""The most that a description adds to a concept's score, and how many of its words count."""


def find_concept(field: Field, title: Phrase, description: Description, group: str) -> Concept | None:
    """Return the concept that the name of ``field`` means, helped by its description; None if none is near.

    ``group`` is ``scalar`` or ``columns``. A choice has a concept only if its options are currencies.
    """
    if field.type is FieldType.CHOICE and not CODES.issuperset(field.options):
        return None
    pool = concepts("columns") if group == "columns" else scalar_concepts()
    names = _names(group)
    described = frozenset(description.headline.words[:_DESCRIBED_WORDS])
    words = frozenset(title.words)
    best: tuple[float, Concept] | None = None
    for concept in pool.values():
        if not _fits(field.type, concept):
            continue
        score = _named(concept, names[concept.name], title.key, words)
        if not score and field.type in NUMERIC:
            score = float(any(likeness(title.text, name) == 1.0 for name in concept.spelled))
        if score and field.type is FieldType.TEXT and concept.kind in _NUMERIC:
            score *= _AMOUNT_AS_TEXT
        if score:
            score += _DESCRIBED * max(
                (len(described & name) / len(name | words) for name in names[concept.name]),
                default=0.0,
            )
            if best is None or score > best[0]:
                best = (score, concept)
    return best[1] if best else None


def _named(concept: Concept, names: list[frozenset[str]], title: str, words: frozenset[str]) -> float:
    """Return how much a title names a concept: 2 by name, 1.5 by label, below 1 by common words."""
    if title in concept.names:
        return 2.0
    if title in concept.labels and title not in concept.weak:
        return 1.5
    score = max((len(words & name) / len(words | name) for name in names if words & name), default=0.0)
    return score if score >= _ENOUGH else 0.0


def _fits(type_: FieldType, concept: Concept) -> bool:
    if type_ is FieldType.DATE:
        return concept.kind == "date"
    if type_ in NUMERIC:
        return concept.kind in _NUMERIC
    if type_ is FieldType.CHOICE:
        return concept.kind == "currency"
    return type_ is FieldType.TEXT


@cache
def _names(group: str) -> dict[str, list[frozenset[str]]]:
    """Return the words of each name of each concept of a group."""
    pool = concepts("columns") if group == "columns" else scalar_concepts()
    return {
        concept.name: [
            frozenset(key(word) for word in name.split())
            for name in (concept.name.replace("_", " "), *concept.spelled)
        ]
        for concept in pool.values()
    }


def kind_of(field: Field, title: Phrase, concept: Concept | None) -> str:
    """Return the kind of values that a field asks for: a type's name, or a concept's kind."""
    match field.type:
        case FieldType.DATE:
            return "date"
        case FieldType.NUMBER | FieldType.CURRENCY:
            return concept.kind if concept and concept.kind == "percent" else "amount"
        case FieldType.CHOICE if concept is not None:
            return concept.kind
        case FieldType.BOOLEAN | FieldType.CHOICE | FieldType.LIST | FieldType.TABLE:
            return field.type.value
    if concept:
        return concept.kind
    if not title.words:
        return "text"
    known = _BY_LAST_WORD.get(title.words[-1]) or _CONTACTS.get(contact_asked(title.text) or "")
    numbered = any(word in _NUMBERS for word in title.words) or title.words[-1].endswith(_NUMBERED)
    return known or ("identifier" if numbered else "text")
