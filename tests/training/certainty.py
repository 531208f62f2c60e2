"""Fits how certain a chosen value is, on documents by senders that the ranker was not trained on."""

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

_ABSENT = 0.25
"""The share of fields asked that the document does not state; people mostly ask for what there is."""
_EASIER = 0.8
"""How much easier, in log odds, people's documents are than made-up ones, contrary so as to teach more."""
_ROUNDS, _DECAY = 40, 1.0


def fit_certainty(ranker: Ranker, senders: Iterable[int], documents: int) -> dict[str, list[float]]:
    """Return the weights of the signs, the bias last, by kind of value."""
    rows: dict[str, list[list[float]]] = defaultdict(list)
    right: dict[str, list[bool]] = defaultdict(list)
    for sender in senders:
        for index, one in enumerate(synthetic_documents(sender, documents)):
            r = Random(sender * 100_003 + index)
            asked = [
                t for t in targets(r) if t.concept and (t.concept.name in one.truth or r.random() < _ABSENT)
            ]
            chosen = Assignment(DocumentAnalysis(one.document, asked, ExtractOptions()), asked, ranker)
            chosen.choose()
            for target in asked:
                if target.name in chosen.chosen and target.concept is not None:
                    rows[target.kind].append([*chosen.confidence_features(target).row(), 1.0])
                    truth = one.truth.get(target.concept.name)
                    right[target.kind].append(same(chosen.chosen[target.name].value, truth))
    return {kind: _rounded(_fit(np.array(rows[kind]), np.array(right[kind]))) for kind in sorted(rows)}


def _rounded(weights: NDArray[np.float64]) -> list[float]:
    weights[-1] += _EASIER
    return [round(float(w), 3) for w in weights]


def _fit(rows: NDArray[np.float64], right: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Logistic regression by Newton's method, with a ridge on all weights but the bias."""
    weights = np.zeros(rows.shape[1])
    ridge = np.full(rows.shape[1], _DECAY)
    ridge[-1] = 1e-6
    for _ in range(_ROUNDS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(rows @ weights, -30, 30)))
        gradient = rows.T @ (chance - right) + ridge * weights
        curvature = (rows.T * (chance * (1 - chance))) @ rows + np.diag(ridge)
        weights -= np.linalg.solve(curvature, gradient)
    return weights
