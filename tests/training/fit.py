"""Fits the ranker: a listwise softmax with a "none" option, by gradient descent (Adam)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tests.training.examples import Example

_STEPS, _RATE, _DECAY = 400, 0.05, 1e-3

Weights = NDArray[np.float64]


def fit(examples: Sequence[Example]) -> Weights:
    """Return the weights of one group; the last is the score of "none of them"."""
    size = examples[0].rows.shape[1]
    rows, right, starts = _stacked(examples, size)
    weights = np.zeros(size + 1)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        gradient = _gradient(weights, rows, right, starts) + _DECAY * weights
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        weights -= _RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights


def _stacked(
    examples: Sequence[Example], size: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]:
    """Return all candidates in one matrix, each example followed by its row for "none"."""
    parts, right, starts, at = [], [], [], 0
    for one in examples:
        none = np.zeros((1, size + 1))
        none[0, -1] = 1.0
        parts += [np.hstack([one.rows, np.zeros((len(one.rows), 1))]), none]
        right += [one.right, np.array([not one.right.any()])]
        starts.append(at)
        at += len(one.rows) + 1
    return np.vstack(parts), np.concatenate(right), np.array(starts)


def _gradient(
    weights: Weights, rows: NDArray[np.float64], right: NDArray[np.bool_], starts: NDArray[np.int64]
) -> Weights:
    """Return the gradient of the mean negative log likelihood of the right rows."""
    counts = np.diff(np.append(starts, len(rows)))
    powers = np.exp(np.clip(rows @ weights, -40, 40))
    shares = powers / np.repeat(np.add.reduceat(powers, starts), counts)
    hits = shares * right
    posterior = hits / np.repeat(np.maximum(np.add.reduceat(hits, starts), 1e-12), counts)
    return np.asarray(rows.T @ (shares - posterior) / len(starts))


def accuracy(weights: Weights, examples: Sequence[Example]) -> tuple[float, float]:
    """Return the accuracy of the weights, and of the rules alone."""
    learned = ruled = 0
    for one in examples:
        scores = np.append(one.rows @ weights[:-1], weights[-1])
        best = int(scores.argmax())
        learned += bool(one.right[best]) if best < len(one.right) else not one.right.any()
        ruled += bool(one.right[one.by_rule]) if one.by_rule >= 0 else not one.right.any()
    return learned / len(examples), ruled / len(examples)
