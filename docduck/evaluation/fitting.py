"""Fits the choice of places (``docduck.extraction.extractors.layout.chooser``) to documents with their truth.

``held_out`` tells what that is worth on documents that it was not fitted to: by folds, one sender never on
both sides. It needs LightGBM, which the extra ``fit`` installs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docduck.documents.document import Document
from docduck.errors import InputError
from docduck.evaluation.comparison import Comparison, Grade, compare_values
from docduck.evaluation.job import CaseTask
from docduck.extraction.extractors.layout.chooser.chooser import Chooser, Rated, assign, rate
from docduck.extraction.extractors.layout.chooser.features import FEATURES
from docduck.extraction.extractors.layout.chooser.trees import Floats, Least, Trees
from docduck.extraction.jobs.extraction_job import load
from docduck.extraction.jobs.heavy_imports import HEAVY
from docduck.extraction.options import ExtractOptions
from docduck.extraction.run_extractors import run_extractors
from docduck.fields import Field
from docduck.workers.context import Context
from docduck.workers.pool import Job

_TREES, _LEAVES, _RATE, _DEPTH = 300, 31, 0.05, 9
"""Within a few thousandths of these, what is right on other senders doesn't change."""
_UNFITTED = Least(0.5, 0.5)
_KEPT = 0.05
"""Probability from which a found value is kept. That costs .006 of F1 on kinds of papers that the trees have
seen, and saves .062 of 60 receipts, a kind that they had not seen.
"""
_STEPS = 20
"""Probabilities that are tried as the least of an answer."""
_NUMBERED = re.compile(r"[-_]?\d+$")


@dataclass(frozen=True, slots=True)
class Offered:
    """A value that could answer a field, as ``Rated`` has it."""

    value: Any
    place: str | None
    is_found: bool = False


@dataclass(frozen=True, slots=True)
class Offers:
    """What could answer a document's fields, with features, and how it was read without a choice."""

    offers: dict[str, list[Offered]] = field(default_factory=dict)
    rows: bytes = b""
    data: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)


def offers_of(fields: Sequence[Field], document: Document) -> Offers:
    """Return what could answer the fields of a document."""
    findings = run_extractors(fields, document, ExtractOptions())
    data, metadata = findings.as_json(fields)
    if not isinstance(findings.chooser, Chooser):
        return Offers({}, b"", data, metadata)
    matrix = findings.chooser.matrix(findings)
    offers = {
        name: [
            Offered(offer.value, str(offer.place) if offer.place else None, offer.is_found) for offer in some
        ]
        for name, some in matrix.offers.items()
    }
    return Offers(offers, matrix.rows().tobytes(), data, metadata)


def case_offers(task: CaseTask, context: Context) -> Offers:
    """Read a case's document and return what could answer its fields.

    Raise the DocumentErrors of ``docduck.documents.reader.read``.
    """
    return offers_of(task.fields, load(task.read, context)[1])


OFFERS = Job(case_offers, Offers, HEAVY)
"""Read documents and propose values for their fields."""


@dataclass(frozen=True)
class Example:
    """A document whose values are known; ``weight`` is how much it counts.

    ``group`` names a sender whose documents don't share their names.
    """

    suite: str
    name: str
    fields: Sequence[Field]
    truth: Mapping[str, Any]
    proposed: Offers
    weight: float = 1.0
    group: str = ""

    @property
    def sender(self) -> str:
        """What documents of one sender have in common: their name without its number."""
        return self.group or f"{self.suite}/{_NUMBERED.sub('', self.name)}"

    @cached_property
    def rows(self) -> Floats:
        """The features of each offer."""
        return np.frombuffer(self.proposed.rows, np.float32).reshape(-1, len(FEATURES))

    @cached_property
    def right(self) -> NDArray[np.bool_]:
        """Whether each offer is right."""
        by_name = {one.name: one for one in self.fields}
        return np.array(
            [
                self._compare(by_name[name], offer.value)[0].grade is Grade.RIGHT
                for name, some in self.proposed.offers.items()
                for offer in some
            ],
            bool,
        )

    def _compare(self, field: Field, value: Any, confidence: float = 0.0) -> list[Comparison]:
        return compare_values(field, self.truth.get(field.name), value, {"confidence": confidence})

    def rated(self, trees: Trees) -> list[Rated]:
        """Return the offers with the probabilities that trees give them."""
        return rate(self.proposed.offers, self.rows, trees)

    def comparisons(self, rated: Sequence[Rated], least: Least) -> list[Comparison]:
        """Return how the chosen values compare with the truth, and those of fields that have no offers."""
        answers = assign(rated, least)
        compared: list[Comparison] = []
        for one in self.fields:
            if one.name in self.proposed.offers:
                answer = answers.get(one.name)
                value = None if answer is None else self.proposed.offers[one.name][answer.number].value
                compared += self._compare(one, value, 0.0 if answer is None else answer.chance)
            else:
                truth, value = self.truth.get(one.name), self.proposed.data[one.name]
                compared += compare_values(one, truth, value, self.proposed.metadata.get(one.name, {}))
        return compared


def fit(examples: Sequence[Example], least: Least = _UNFITTED) -> Trees:
    """Return trees that are fitted to examples.

    Raise InputError if LightGBM is not installed, or no value of the examples is right.
    """
    try:
        import lightgbm
    except (ImportError, OSError) as error:
        raise InputError(
            f"Fitting needs LightGBM ({error}): pip install 'docduck[fit]', and the system's libgomp1"
        ) from error
    some = [example for example in examples if example.proposed.offers]
    if not any(example.right.any() for example in some):
        raise InputError("No value of these documents was proposed: there is nothing to fit to")
    weights = np.concatenate([np.full(len(example.right), example.weight) for example in some])
    booster = lightgbm.train(
        {
            "objective": "binary", "learning_rate": _RATE, "num_leaves": _LEAVES, "max_depth": _DEPTH,
            "min_data_in_leaf": 20, "feature_fraction": 0.5, "bagging_fraction": 0.8, "bagging_freq": 1,
            "lambda_l2": 5.0, "max_bin": 63, "seed": 0, "deterministic": True, "num_threads": 1,
            "verbose": -1,
        },
        lightgbm.Dataset(
            np.vstack([example.rows for example in some]),
            np.concatenate([example.right for example in some]).astype(float),
            weight=weights,
        ),
        _TREES,
    )  # fmt: skip
    return _trees(booster.dump_model()["tree_info"], least)


def _trees(described: Sequence[Mapping[str, Any]], least: Least) -> Trees:
    """Return trees as LightGBM describes them."""
    nodes = [_nodes(tree["tree_structure"]) for tree in described]
    shape = (len(nodes), max(map(len, nodes)))
    features, left, right = (np.zeros(shape, np.int16) for _ in range(3))
    limits, values = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    for at, tree in enumerate(nodes):
        for number, node in enumerate(tree):
            features[at, number], limits[at, number], left[at, number], right[at, number] = node[:4]
            values[at, number] = node[4]
    return Trees(features, limits, left, right, values, _DEPTH, least)


def _nodes(root: Mapping[str, Any]) -> list[tuple[int, float, int, int, float]]:
    """Return a tree's nodes, the root first: feature, limit, left, right and value."""
    nodes: list[tuple[int, float, int, int, float]] = []

    def add(node: Mapping[str, Any]) -> int:
        number = len(nodes)
        nodes.append((0, 0.0, number, number, float(node.get("leaf_value", 0.0))))
        if "split_feature" in node:
            left, right = add(node["left_child"]), add(node["right_child"])
            limit = float(node["threshold"])
            nodes[number] = (node["split_feature"], limit, left, right, float(node["internal_value"]))
        return number

    add(root)
    return nodes


def held_out(examples: Sequence[Example], folds: int) -> Iterator[tuple[Example, list[Rated]]]:
    """Yield each example with its offers as trees rate them that were fitted to other senders alone."""
    for fold in range(folds):
        kept = [example for example in examples if _fold(example.sender, folds) == fold]
        if kept:
            trees = fit([example for example in examples if _fold(example.sender, folds) != fold])
            yield from ((example, example.rated(trees)) for example in kept)


def _fold(sender: str, folds: int) -> int:
    return int.from_bytes(sha256(sender.encode()).digest()[:4]) % folds


def least_probability(pairs: Sequence[tuple[Example, list[Rated]]]) -> Least:
    """Return the probabilities from which to answer, so that F1 is best on examples that were held out."""
    tried = [Least(step / _STEPS, _KEPT) for step in range(4, _STEPS // 2 + 3)]
    scores = {least: _f1(pairs, least) for least in tried}
    return max(scores, key=lambda least: scores[least])


def _f1(pairs: Sequence[tuple[Example, list[Rated]]], least: Least) -> float:
    right = counted = 0.0
    for example, rated in pairs:
        for comparison in example.comparisons(rated, least):
            if comparison.column is None:
                is_wrong = comparison.grade is Grade.WRONG
                right += 2 * example.weight * (comparison.grade is Grade.RIGHT)
                counted += example.weight * (2 if is_wrong or comparison.grade is Grade.RIGHT else 1)
    return right / counted if counted else 0.0
