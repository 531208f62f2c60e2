"""What a field asks for: its concept, the form of its values and the labels that announce them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from docduck.extraction.fields.descriptions import Alternative, alternatives
from docduck.extraction.fields.field_words import asked
from docduck.extraction.lexicon import Concept, concepts, scalar_concepts
from docduck.extraction.normal_text import key, words_of
from docduck.extraction.values.currencies import CODES
from docduck.fields import Field, FieldType

_NUMERIC = frozenset({"amount", "percent", "number"})
_BY_LAST_WORD = {
    "number": "identifier", "no": "identifier", "nr": "identifier", "id": "identifier", "code": "identifier",
    "reference": "identifier", "ref": "identifier", "nummer": "identifier", "email": "mail", "mail": "mail",
    "phone": "phone", "telephone": "phone", "website": "web", "url": "web", "iban": "iban", "bic": "bic",
    "address": "address",
}  # fmt: skip
_AMOUNT_AS_TEXT = 0.7
"""The factor for an amount as the meaning of a text field: "VAT" is the number rather than the tax then."""
_NAME_WEIGHT, _LABEL_WEIGHT, _ALIKE_WEIGHT, _WEAK_WEIGHT = 1.0, 0.95, 0.8, 0.6


@dataclass(frozen=True, slots=True)
class FieldQuery:
    """A field or column with its concept (None if the lexicon has none) and the kind of its values.

    ``own`` maps the normal forms of the field's own labels to their weight; ``alternatives`` are other
    concepts that its description lets answer, and ``words`` what its name consists of.
    """

    field: Field
    concept: Concept | None
    kind: str
    own: Mapping[str, float]
    alternatives: tuple[Alternative, ...] = ()
    words: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.field.name

    @property
    def forms(self) -> frozenset[str]:
        """The normal forms of all labels that announce this target."""
        if self.concept is None:
            return frozenset(self.own)
        alike = concepts("columns")[self.concept.alike].labels if self.concept.alike else ()
        return frozenset(self.own).union(self.concept.labels, alike)

    def weight(self, form: str) -> float:
        """How much the label ``form`` announces this target, 0–1."""
        weight = self.own.get(form, 0.0)
        if self.concept and form in self.concept.labels:
            weak = form in self.concept.weak
            weight = max(weight, _WEAK_WEIGHT if weak else _LABEL_WEIGHT)
        if not weight and self.concept and self.concept.alike:
            alike = concepts("columns")[self.concept.alike]
            weight = _ALIKE_WEIGHT if form in alike.labels else 0.0
        return weight


def _fits(type_: FieldType, concept: Concept) -> bool:
    if type_ is FieldType.DATE:
        return concept.kind == "date"
    if type_ in (FieldType.NUMBER, FieldType.CURRENCY):
        return concept.kind in _NUMERIC
    if type_ is FieldType.CHOICE:
        return concept.kind == "currency"
    return type_ is FieldType.TEXT


@cache
def _names(group: str) -> dict[str, list[frozenset[str]]]:
    """The words of each name of each concept of a group."""
    pool = concepts("columns") if group == "columns" else scalar_concepts()
    return {
        concept.name: [
            frozenset(key(word) for word in name.split())
            for name in (concept.name.replace("_", " "), *concept.spelled)
        ]
        for concept in pool.values()
    }


def find_concept(field: Field, group: str = "scalar") -> Concept | None:
    """The concept that the field's name means, helped by its description; None if none is near."""
    pool = concepts("columns") if group == "columns" else scalar_concepts()
    names = _names(group)
    fitting = [c for c in pool.values() if _fits(field.type, c)]
    wanted = key(field.name)
    described = frozenset(key(w) for w in words_of((field.description or "").split(";")[0])[:14])
    words = frozenset(key(w) for w in words_of(field.name))
    best: tuple[float, Concept] | None = None
    for concept in fitting:
        score = 0.0
        if wanted in concept.names:
            score = 2.0
        elif wanted in concept.labels and wanted not in concept.weak:
            score = 1.5
        else:
            for name in names[concept.name]:
                common = len(words & name)
                if common:
                    score = max(score, common / len(words | name))
            score = score if score >= 0.6 else 0.0
        if score and field.type is FieldType.TEXT and concept.kind in _NUMERIC:
            score *= _AMOUNT_AS_TEXT
        if score:
            score += 0.3 * max(
                (len(described & name) / len(name | words) for name in names[concept.name]),
                default=0.0,
            )
            if best is None or score > best[0]:
                best = (score, concept)
    return best[1] if best else None


def _kind(field: Field, concept: Concept | None) -> str:
    match field.type:
        case FieldType.DATE:
            return "date"
        case FieldType.NUMBER | FieldType.CURRENCY:
            return concept.kind if concept and concept.kind == "percent" else "amount"
        case FieldType.CHOICE if concept is not None and CODES.issuperset(field.options):
            return concept.kind
        case FieldType.BOOLEAN | FieldType.CHOICE | FieldType.LIST | FieldType.TABLE:
            return field.type.value
    if concept:
        return concept.kind
    words = [key(word) for word in words_of(field.name)]
    return _BY_LAST_WORD.get(words[-1] if words else "", "text")


@lru_cache(maxsize=4096)
def query_of(field: Field, group: str = "scalar") -> FieldQuery:
    """The target of a field, or of a table's column with ``group="columns"``."""
    concept = find_concept(field, group)
    if field.type is FieldType.CHOICE and not CODES.issuperset(field.options):
        concept = None
    own = {key(field.name): _NAME_WEIGHT}
    for label in field.labels:
        own[key(label)] = _NAME_WEIGHT
    if concept is None and group == "scalar" and field.type is FieldType.TEXT:
        for phrase, weight in asked(field).phrases.items():
            own.setdefault(phrase, weight)
    own.pop("", None)
    others: tuple[Alternative, ...] = ()
    if concept is not None and concept.kind == "identifier" and group == "scalar":
        others = alternatives(field.description, concept, scalar_concepts().values())
    words = frozenset(word for w in words_of(field.name) if len(word := key(w)) > 2)
    return FieldQuery(field, concept, _kind(field, concept), own, others, words)
