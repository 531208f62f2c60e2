"""``python -m tools.training.remaining_fit``: fit how fields choose among the places that are left.

The documents are looks; some of their fields have names that no list knows. Every fifth look is held out for
evaluation.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from docduck.documents.document import Document
from docduck.evaluation.comparison import Grade, compare_values
from docduck.extraction.extractors.layout import extractor
from docduck.extraction.extractors.layout.labelled.remaining import (
    FEATURES,
    LEAST,
    NONE,
    WEIGHTS,
    RemainingFields,
    Rows,
    Weights,
    rivals_of,
)
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Finding
from docduck.extraction.run_extractors import find_values
from docduck.fields import Field
from tools.training.queried_looks import HELD_OUT, asked_look

_STEPS, _RATE, _DECAY = 600, 0.05, 0.02
_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Example:
    """The places that can answer a field, and which of them are right."""

    rows: Rows
    right: Sequence[bool]


def examples(document: Document, fields: Sequence[Field], truths: Mapping[str, Any]) -> Iterator[Example]:
    """Yield an example for each field of a document that nothing else answers."""
    recorded: list[Example] = []
    by_name = {field.name: field for field in fields}

    class Recorder(RemainingFields):
        def find(self, open_: Sequence[FieldQuery], found_: Mapping[str, Finding]) -> dict[str, Finding]:
            anchors, offers = self.anchors(found_), self.offers(open_, found_)
            for name, some in offers.items():
                right = [
                    _is_right(by_name[name], truths.get(name), offer.choice.read.value) for offer in some
                ]
                recorded.append(Example(self.rows(name, some, anchors, rivals_of(offers)), right))
            return {}

    with patch.object(extractor, "RemainingFields", Recorder):
        find_values(fields, document, ExtractOptions())
    yield from recorded


def _is_right(field: Field, truth: Any, value: Any) -> bool:
    (comparison,) = compare_values(field, truth, value, {})
    return comparison.found is not None and comparison.grade is Grade.RIGHT


def fit(examples: Sequence[Example]) -> Weights:
    """Return weights by gradient ascent of the probability of the right places, or of none."""
    all_rows = [example.rows for example in examples]
    places = np.concatenate([rows.places for rows in all_rows])
    middle, spread = places.mean(0), places.std(0) + 1e-6
    weights = np.zeros(len(FEATURES) + len(NONE))
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    inputs = [((np.array(rows.places) - middle) / spread, np.array(rows.none)) for rows in all_rows]
    for step in range(1, _STEPS + 1):
        slope = _DECAY * weights
        for (rows, none), example in zip(inputs, examples, strict=True):
            scores = np.append(rows @ weights[: len(FEATURES)], none @ weights[len(FEATURES) :])
            chance = np.exp(scores - scores.max())
            chance /= chance.sum()
            wanted = np.append(example.right, not any(example.right)) * chance
            apart = (chance - wanted / wanted.sum()) / len(examples)
            slope += np.append(rows.T @ apart[:-1], none * apart[-1])
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= _RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return _unscaled(weights, middle, spread)


def _unscaled(
    weights: NDArray[np.float64], middle: NDArray[np.float64], spread: NDArray[np.float64]
) -> Weights:
    """Return the weights of unscaled features; what scaling took from all places is given to "none"."""
    places = weights[: len(FEATURES)] / spread
    none = weights[len(FEATURES) :].copy()
    none[NONE.index("none")] += places @ middle
    return Weights([round(float(w), _DIGITS) for w in places], [round(float(w), _DIGITS) for w in none])


def accuracy(examples: Iterable[Example], weights: Weights) -> tuple[int, int, int]:
    """Return how many fields have a right place, are answered, and are answered right."""
    possible = answered = right = 0
    for example in examples:
        possible += any(example.right)
        odds = example.rows.probabilities(weights)
        best = max(range(len(odds)), key=odds.__getitem__)
        answered += odds[best] >= LEAST
        right += odds[best] >= LEAST and example.right[best]
    return possible, answered, right


def main() -> None:
    """Fit and write the weights, and print how held-out fields are answered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--into", dest="path", type=Path, default=WEIGHTS)
    arguments = parser.parse_args()
    weights = fit(list(_examples(seed for seed in range(arguments.documents) if seed % HELD_OUT)))
    data = {
        "places": dict(zip(FEATURES, weights.places, strict=True)),
        "none": dict(zip(NONE, weights.none, strict=True)),
    }
    arguments.path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    possible, answered, right = accuracy(_examples(range(0, arguments.documents, HELD_OUT)), weights)
    print(f"of {possible} fields, {answered} answered, {right} right")


def _examples(seeds: Iterable[int]) -> Iterator[Example]:
    for seed in seeds:
        yield from examples(*asked_look(seed))


if __name__ == "__main__":
    main()
