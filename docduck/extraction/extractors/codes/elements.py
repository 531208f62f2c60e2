"""The elements of codes that a field asks for, by the names of ``lexicon/elements.yaml``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import Concept, concepts, scalar_concepts
from docduck.fields import NUMERIC, FieldType

_TYPES = {
    "date": (FieldType.DATE,),
    "amount": NUMERIC,
    "number": (*NUMERIC, FieldType.TEXT),
    "code": (FieldType.TEXT, FieldType.NUMBER),
    "short": (FieldType.TEXT,),
    "choice": (FieldType.TEXT, FieldType.CHOICE),
    "country": (FieldType.TEXT, FieldType.CHOICE),
    "name": (FieldType.TEXT,),
    "text": (FieldType.TEXT,),
    "measure": (FieldType.TEXT,),
}
"""The types of the fields that an element of each kind can answer."""
_SURNAME, _GIVEN, _NAME = "holder_surname", "holder_given_names", "holder_name"
_FEW = 2
"""Elements of the same kind of document that other fields ask for, if a bare "Number" is the document's."""


@lru_cache(maxsize=4096)
def elements_of(query: FieldQuery) -> tuple[tuple[str, bool], ...]:
    """Return the elements that a field's name asks for, each with whether it does so surely.

    The labels count if the name says nothing.
    """
    fitting = [one for one in concepts("elements").values() if query.type in _TYPES[one.kind]]
    by_name = [(one.name, True) for one in fitting if query.title.key in one.names or _means(query, one)]
    by_name += [(one.name, False) for one in fitting if query.title.key in one.weak]
    if by_name:
        return tuple(by_name)
    labels = {label.key for label in query.labels}
    return tuple((one.name, True) for one in fitting if labels & one.names)


def _means(query: FieldQuery, element: Concept) -> bool:
    """Return whether the name of a field is a name or a label of the concept that is like an element."""
    if element.alike is None:
        return False
    concept = scalar_concepts()[element.alike]
    return query.title.key in concept.names or query.title.key in concept.labels.keys() - concept.weak


def asked_elements(queries: Sequence[FieldQuery]) -> dict[str, list[str]]:
    """Return the elements that fields ask for, by the field's name; names that say little need others.

    "Nom" is the surname beside a field for given names, and "Number" the document's if other fields ask for
    what the same kind of document states.
    """
    found = {query.name: elements_of(query) for query in queries}
    sure = {element for some in found.values() for element, is_sure in some if is_sure}
    asked = {
        name: [element for element, is_sure in some if is_sure or _is_meant(element, sure)]
        for name, some in found.items()
    }
    return {name: some for name, some in asked.items() if some}


def _is_meant(element: str, sure: set[str]) -> bool:
    family = {other for other in sure if family_of(other) == family_of(element)}
    match element:
        case _ if element == _SURNAME:
            return _GIVEN in sure
        case _ if element == _GIVEN:
            return _SURNAME in sure
        case _ if element == _NAME:
            return bool(family) and not {_SURNAME, _GIVEN} & sure
    return len(family) >= _FEW


def family_of(element: str) -> str:
    """Return the kind of document whose element it is: the first word of its name."""
    return element.partition("_")[0]
