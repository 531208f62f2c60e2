"""Logistic regression over named features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

_ROUNDS, _DECAY = 40, 1.0
_DIGITS = 3

Weights = Mapping[str, float]
Sample = tuple[Mapping[str, float], bool]
"""The features of one case, and whether it is true."""


def fitted(names: Iterable[str], samples: Sequence[Sample]) -> dict[str, float]:
    """Return the weights of features by Newton's method, with a ridge on all of them."""
    ordered = sorted(names)
    place = {name: at for at, name in enumerate(ordered)}
    rows = np.zeros((len(samples), len(ordered)))
    for row, (features, _) in zip(rows, samples, strict=True):
        for name, value in features.items():
            row[place[name]] = value
    true = np.array([is_true for _, is_true in samples])
    weights = np.zeros(len(ordered))
    for _ in range(_ROUNDS):
        probability = 1.0 / (1.0 + np.exp(-np.clip(rows @ weights, -30, 30)))
        gradient = rows.T @ (probability - true) + _DECAY * weights
        curvature = (rows.T * (probability * (1 - probability))) @ rows + _DECAY * np.eye(len(weights))
        weights -= np.linalg.solve(curvature, gradient)
    return {name: round(float(weight), _DIGITS) for name, weight in zip(ordered, weights, strict=True)}
