"""Fits the confidence of chosen values on documents of senders that the ranker was not trained on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from random import Random

import numpy as np
from numpy.typing import NDArray

from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.assignment import Assignment
from docduck.extraction.extractors.layout.ranker import Ranker
from docduck.extraction.options import ExtractOptions
from tests.training.documents import synthetic_documents
from tests.training.examples import same, targets

_ABSENT_SHARE = 0.25
"""Share of absent fields among those requested: people mostly request what a document states."""
_LOG_ODDS_OFFSET = 0.8
"""Log-odds offset: real documents are easier than the deliberately hard synthetic ones."""
_ROUNDS, _DECAY = 40, 1.0


def fit_certainty(ranker: Ranker, senders: Iterable[int], documents: int) -> dict[str, list[float]]:
    """Return the weights of the confidence features by kind of value, the bias last."""
    rows: dict[str, list[list[float]]] = defaultdict(list)
    right: dict[str, list[bool]] = defaultdict(list)
    for sender in senders:
        for index, one in enumerate(synthetic_documents(sender, documents)):
            random = Random(sender * 100_003 + index)
            requested = [
                t
                for t in targets(random)
                if t.concept and (t.concept.name in one.truth or random.random() < _ABSENT_SHARE)
            ]
            assignment = Assignment(
                DocumentAnalysis(one.document, requested, ExtractOptions()), requested, ranker
            )
            assignment.choose()
            for target in requested:
                if target.name in assignment.chosen and target.concept is not None:
                    rows[target.kind].append([*assignment.confidence_features(target).row(), 1.0])
                    truth = one.truth.get(target.concept.name)
                    right[target.kind].append(same(assignment.chosen[target.name].value, truth))
    return {kind: _rounded(_fit(np.array(rows[kind]), np.array(right[kind]))) for kind in sorted(rows)}


def _rounded(weights: NDArray[np.float64]) -> list[float]:
    weights[-1] += _LOG_ODDS_OFFSET
    return [round(float(w), 3) for w in weights]


def _fit(rows: NDArray[np.float64], right: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the weights of a logistic regression by Newton's method, with a ridge on all but the bias."""
    weights = np.zeros(rows.shape[1])
    ridge = np.full(rows.shape[1], _DECAY)
    ridge[-1] = 1e-6
    for _ in range(_ROUNDS):
        probability = 1.0 / (1.0 + np.exp(-np.clip(rows @ weights, -30, 30)))
        gradient = rows.T @ (probability - right) + ridge * weights
        curvature = (rows.T * (probability * (1 - probability))) @ rows + np.diag(ridge)
        weights -= np.linalg.solve(curvature, gradient)
    return weights
