"""The condition class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from docduck.service.conditions.targets import ConditionTarget
from docduck.service.conditions.vocabulary import Aspect, Operator

Scalar = str | int | float | bool

_WORDS = {
    Aspect.EXISTS: "exists",
    Aspect.NOT_EXISTS: "does not exist",
    Aspect.IS_VALID_DATE: "is a valid date",
    Aspect.IS_NOT_VALID_DATE: "is not a valid date",
    Aspect.IS_FUTURE_DATE: "is in the future",
    Aspect.IS_PAST_DATE: "is in the past",
    Aspect.IS_DUPLICATE: "is a duplicate",
}


@dataclass(frozen=True, slots=True)
class Condition:
    """A test of a document, evaluated by ``docduck.service.conditions.holds``.

    ``value`` is a scalar, or a tuple for ``in``, ``not_in`` and ``between``; a confidence is 0–1. ``other``
    is the field of ``matches_field``. ``name`` is None unless given.
    """

    target: ConditionTarget
    aspect: Aspect
    operator: Operator | None = None
    value: Scalar | tuple[Scalar, ...] | None = None
    other: ConditionTarget | None = None
    name: str | None = None

    @property
    def title(self) -> str:
        """Its name, or a description: ``Total greater than 5000``."""
        if self.name is not None:
            return self.name
        if self.operator is None:
            return f"{self.target.name} {_WORDS[self.aspect]}"
        subject = {
            Aspect.CONFIDENCE: f"Confidence of {self.target.name}",
            Aspect.CONTENT_LENGTH: f"Length of {self.target.name}",
        }.get(self.aspect, self.target.name)
        operand = self.other.name if self.other else _in_words(self.value)
        return f"{subject} {self.operator.replace('_', ' ')} {operand}"

    def as_json(self, *, by_id: bool) -> dict[str, Any]:
        """Return the API's object without ``id`` and ``editable``.

        ``by_id`` is the form to store: fields by id, and no generated name.
        """
        value: Any = list(self.value) if isinstance(self.value, tuple) else self.value
        if self.other is not None:
            value = self.other.ref if by_id else self.other.name
        return {
            "type": "simple",
            "field": self.target.ref if by_id else self.target.name,
            "condition": self.aspect.value,
            "operator": self.operator.value if self.operator else None,
            "value": value,
            "name": self.name if by_id else self.title,
        }


def _in_words(value: Scalar | tuple[Scalar, ...] | None) -> str:
    if isinstance(value, tuple):
        return ", ".join(_in_words(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
