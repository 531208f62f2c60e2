"""What a field asks for, resolved once: extractors map it to their own vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from docduck.extraction.fields.alternatives import Alternative, alternatives
from docduck.extraction.fields.announcements import announcements, asks_for_name
from docduck.extraction.fields.concepts import find_concept, kind_of
from docduck.extraction.fields.phrases import Description, Phrase
from docduck.extraction.lexicon import Concept, concepts, scalar_concepts
from docduck.extraction.values.currencies import is_money
from docduck.fields import NUMERIC, Field, FieldType

_NAME_WEIGHT, _LABEL_WEIGHT, _ALIKE_WEIGHT, _WEAK_WEIGHT = 1.0, 0.95, 0.8, 0.6


@dataclass(frozen=True, eq=False)
class FieldQuery:
    """A field or a table's column with what its name, labels and description ask for.

    ``concept`` is what the lexicon knows of it, None if nothing is near, and ``kind`` the kind of its values:
    a type, or a concept's kind. ``own`` maps the normal forms of the field's own labels to their weight;
    ``alternatives`` are other concepts that its description lets answer. With ``for_name`` the value names
    somebody. ``columns`` are the queries of a table's columns.
    """

    field: Field
    title: Phrase
    labels: tuple[Phrase, ...]
    description: Description
    instructions: Phrase
    concept: Concept | None
    kind: str
    own: Mapping[str, float]
    alternatives: tuple[Alternative, ...]
    for_name: bool
    columns: tuple[FieldQuery, ...]
    words: frozenset[str]
    """The words of the name, in normal form, without the shortest."""

    @property
    def name(self) -> str:
        return self.field.name

    @property
    def type(self) -> FieldType:
        return self.field.type

    @property
    def keys(self) -> frozenset[str]:
        """The normal forms of the name and the labels."""
        return frozenset([self.title.key, *(label.key for label in self.labels)])

    @property
    def forms(self) -> frozenset[str]:
        """The normal forms of all labels that announce the field."""
        if self.concept is None:
            return frozenset(self.own)
        alike = concepts("columns")[self.concept.alike].labels if self.concept.alike else ()
        return frozenset(self.own).union(self.concept.labels, alike)

    def weight(self, form: str) -> float:
        """Return how much the label ``form`` announces the field, 0–1."""
        weight = self.own.get(form, 0.0)
        if self.concept and form in self.concept.labels:
            weak = form in self.concept.weak
            weight = max(weight, _WEAK_WEIGHT if weak else _LABEL_WEIGHT)
        if not weight and self.concept and self.concept.alike:
            alike = concepts("columns")[self.concept.alike]
            weight = _ALIKE_WEIGHT if form in alike.labels else 0.0
        return weight


def _without_currency(field: Field) -> str:
    """Return the name of a field, of an amount without the currency behind it: "Total (SGD)"."""
    words = field.name.split()
    while field.type in NUMERIC and len(words) > 1 and is_money(words[-1]):
        words.pop()
    return " ".join(words)


@lru_cache(maxsize=4096)
def query_of(field: Field, group: str = "scalar") -> FieldQuery:
    """Return the query of a field, or of a table's column with ``group="columns"``.

    The same field has the same query, so that functions of queries can be cached.
    """
    title, labels = Phrase.of(_without_currency(field)), tuple(map(Phrase.of, field.labels))
    description = Description(field.description or "")
    concept = find_concept(field, title, description, group)
    for_name = asks_for_name(field.type, title, description)
    own = dict.fromkeys((title.key, *(label.key for label in labels)), _NAME_WEIGHT)
    if concept is None and group == "scalar" and field.type is FieldType.TEXT:
        own = {**announcements(title, description, for_name), **own}
    own.pop("", None)
    others: tuple[Alternative, ...] = ()
    if concept is not None and concept.kind == "identifier" and group == "scalar":
        others = alternatives(description.text, concept, scalar_concepts().values())
    return FieldQuery(
        field=field,
        title=title,
        labels=labels,
        description=description,
        instructions=Phrase.of(field.instructions or ""),
        concept=concept,
        kind=kind_of(field, title, concept),
        own=own,
        alternatives=others,
        for_name=for_name,
        columns=tuple(query_of(column, "columns") for column in field.columns),
        words=frozenset(word for word in title.words if len(word) > 2),
    )


def by_concept(some: Iterable[FieldQuery]) -> dict[str, FieldQuery]:
    """Return the first field or column of each concept, by the concept's name."""
    queries: dict[str, FieldQuery] = {}
    for query in some:
        if query.concept is not None:
            queries.setdefault(query.concept.name, query)
    return queries
