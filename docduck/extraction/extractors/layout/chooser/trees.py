"""Boosted trees: the probability of each row of features."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Least(NamedTuple):
    """Probabilities from which values answer a field: what nothing else found, and what was found."""

    new: float
    kept: float


@dataclass(frozen=True)
class Trees:
    """Binary trees whose leaves add up to log odds; from ``least`` on, a probability makes an answer.

    Each array has a row for each tree and a column for each node. ``features`` is the index of the feature
    that a node looks at, ``limits`` the value up to which a row goes to ``left``, else to ``right``; a leaf
    leads to itself. ``values`` are the mean log odds of the nodes, those of leaves are added up.
    """

    features: NDArray[np.int16]
    limits: Floats
    left: NDArray[np.int16]
    right: NDArray[np.int16]
    values: Floats
    depth: int
    least: Least

    @classmethod
    def load(cls, path: Path) -> Trees:
        """Return the trees of a file that ``save`` wrote."""
        with np.load(path) as stored:
            arrays = {name: stored[name] for name in ("features", "limits", "left", "right", "values")}
            return cls(**arrays, depth=int(stored["depth"]), least=Least(*map(float, stored["least"])))

    def save(self, path: Path) -> None:
        """Write the trees to a file."""
        arrays = {name: getattr(self, name) for name in ("features", "limits", "left", "right", "values")}
        np.savez_compressed(path, **arrays, depth=np.array(self.depth), least=np.array(self.least))

    def log_odds(self, rows: Floats, first: int = 0, last: int | None = None) -> Floats:
        """Return the sum of the leaves that each row reaches in the trees ``first`` to ``last``."""
        trees = np.arange(len(self.features))[first:last, None]
        node = np.zeros((len(trees), len(rows)), np.int16)
        for _ in range(self.depth):
            node = self._next(rows, trees, node)
        total: Floats = self.values[trees, node].sum(axis=0, dtype=np.float32)
        return total

    def contributions(self, row: Floats) -> Floats:
        """Return how much each feature of a row adds to its log odds: by it the nodes' values change."""
        trees = np.arange(len(self.features))[:, None]
        node = np.zeros((len(trees), 1), np.int16)
        added = np.zeros(len(row), np.float32)
        for _ in range(self.depth):
            after = self._next(row[None, :], trees, node)
            change = self.values[trees, after] - self.values[trees, node]
            np.add.at(added, self.features[trees, node], change)
            node = after
        return added

    def _next(self, rows: Floats, trees: NDArray[np.int64], node: NDArray[np.int16]) -> NDArray[np.int16]:
        goes_left = rows[np.arange(len(rows)), self.features[trees, node]] <= self.limits[trees, node]
        after: NDArray[np.int16] = np.where(goes_left, self.left[trees, node], self.right[trees, node])
        return after


def probability(log_odds: Floats) -> Floats:
    """Return the probabilities of log odds."""
    return (1.0 / (1.0 + np.exp(-log_odds))).astype(np.float32)
