"""Which of two readings of a field is right: a model's or the one without it.

Each reading has a probability: a logistic regression over what speaks for it, what the other reading says,
and what the page prints beside it. The weights, in ``choice.json``, are fitted to documents with known values
by ``python -m tools.training.choice_fit``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path

from docduck.extraction.confidence import logistic
from docduck.extraction.extractors.model.printed_labels import LabelMatch
from docduck.fields import FieldType

WEIGHTS = Path(__file__).parent / "choice.json"
_KINDS: Mapping[FieldType, str] = {
    FieldType.NUMBER: "number",
    FieldType.CURRENCY: "number",
    FieldType.DATE: "date",
    FieldType.BOOLEAN: "chosen",
    FieldType.CHOICE: "chosen",
    FieldType.LIST: "list",
}
"""Types whose values are right about as often; texts are the others."""
_LEAST = 0.01


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading's value of a field and what speaks for it.

    ``confidence`` is the reading's own; the model has none. ``shown`` is the share of the value that the
    pages show, 1 where none need show it, at so many ``places``. ``repeated`` is how many other fields of the
    document have the same value.
    """

    confidence: float | None
    shown: float
    labels: LabelMatch
    repeated: int = 0
    places: int = 1


@dataclass(frozen=True, slots=True)
class Choice:
    """The two readings of a field, None where one has no value.

    ``agree`` is whether their values are equal, ``within`` whether one text holds the other: "mine" if the
    model's is the shorter. ``named`` is the share of the words of the field's name that the document has.
    """

    type: FieldType
    mine: Reading | None
    other: Reading | None
    agree: bool = False
    within: str = ""
    named: float = 1.0

    def probabilities(self) -> tuple[float, float]:
        """Return the probabilities, 0.01–0.99, that the model's value and the other one are right."""
        weights = _weights()
        mine = logistic(weights["mine"], self.for_mine()) if self.mine else 0.0
        other = logistic(weights["other"], self.for_other()) if self.other else 0.0
        return mine, mine if self.agree else other

    def for_mine(self) -> Mapping[str, float]:
        """Return what the regression for the model's value sees."""
        assert self.mine is not None
        case = "agree" if self.agree else "differ" if self.other else "alone"
        features = {
            case: 1.0,
            f"{case} {self._kind}": 1.0,
            "not shown": 1.0 - self.mine.shown,
            f"{case} named": self.named,
            "label": self.mine.labels.own,
            "label of other": max(0.0, self.mine.labels.other - self.mine.labels.own),
            "repeated": float(self.mine.repeated > 0),
            "places": log(max(self.mine.places, 1)),
        }
        if self.other is not None:
            features[f"{case} odds"] = _odds(self.other.confidence)
        if case == "differ":
            features |= {"shorter": float(self.within == "mine"), "longer": float(self.within == "other")}
        return features

    def for_other(self) -> Mapping[str, float]:
        """Return what the regression for the other value sees, where the readings don't agree."""
        assert self.other is not None
        case = "differ" if self.mine else "alone"
        features = {
            case: 1.0,
            f"{case} {self._kind}": 1.0,
            f"{case} odds": _odds(self.other.confidence),
            f"{case} named": self.named,
            "label": self.other.labels.own,
            "label of other": max(0.0, self.other.labels.other - self.other.labels.own),
            "repeated": float(self.other.repeated > 0),
        }
        if self.mine is not None:
            features |= {
                "rival not shown": 1.0 - self.mine.shown,
                "rival label": self.mine.labels.own,
                "rival repeated": float(self.mine.repeated > 0),
                "shorter": float(self.within == "other"),
                "longer": float(self.within == "mine"),
            }
        return features

    @property
    def _kind(self) -> str:
        return _KINDS.get(self.type, "text")


def least_delivered() -> float:
    """Return the probability from which a value is delivered; below it is a suggestion."""
    return _weights()["delivered"]["from"]


def _odds(confidence: float | None) -> float:
    known = min(1 - _LEAST, max(_LEAST, confidence or 0.0))
    return log(known / (1 - known))


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    weights: dict[str, dict[str, float]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return weights
