"""Boosted trees in arrays: they say what the trees say that they were made from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from docduck.extraction.extractors.layout.chooser.chooser import trees
from docduck.extraction.extractors.layout.chooser.features import FEATURES
from docduck.extraction.extractors.layout.chooser.trees import Least, Trees, probability

# Two trees: feature 1 up to 0.5 is -1, else feature 0 up to 2 is 1, else 3; and a tree of one leaf.
SMALL = Trees(
    features=np.array([[1, 0, 0, 0, 0], [0, 0, 0, 0, 0]], np.int16),
    limits=np.array([[0.5, 0, 2.0, 0, 0], [0, 0, 0, 0, 0]], np.float32),
    left=np.array([[1, 1, 3, 3, 4], [0, 0, 0, 0, 0]], np.int16),
    right=np.array([[2, 1, 4, 3, 4], [0, 0, 0, 0, 0]], np.int16),
    values=np.array([[0.5, -1, 2, 1, 3], [0.25, 0, 0, 0, 0]], np.float32),
    depth=2,
    least=Least(0.4, 0.2),
)
ROWS = np.array([[9, 0.5], [2, 0.6], [2.5, 0.6]], np.float32)


def test_each_row_adds_up_the_leaves_that_it_reaches() -> None:
    assert SMALL.log_odds(ROWS).tolist() == [-0.75, 1.25, 3.25]
    assert SMALL.log_odds(ROWS, 0, 1).tolist() == [-1.0, 1.0, 3.0]
    assert SMALL.log_odds(ROWS, 1).tolist() == [0.25] * 3
    assert probability(np.array([0.0], np.float32)).tolist() == [0.5]


def test_what_features_add_leads_from_the_mean_to_the_leaf() -> None:
    assert SMALL.contributions(ROWS[0]).tolist() == [0.0, -1.5]
    assert SMALL.contributions(ROWS[2]).tolist() == [1.0, 1.5]


def test_a_file_gives_back_the_trees(tmp_path: Path) -> None:
    SMALL.save(tmp_path / "trees.npz")
    again = Trees.load(tmp_path / "trees.npz")
    assert again.log_odds(ROWS).tolist() == SMALL.log_odds(ROWS).tolist()
    assert again.depth == 2
    assert tuple(again.least) == pytest.approx((0.4, 0.2))


def test_the_packaged_trees_are_those_of_the_features() -> None:
    packaged = trees()
    assert packaged.features.max() < len(FEATURES)
    assert 0 < packaged.least.kept < packaged.least.new < 0.7
    # Within the depth every row reaches a leaf: no node beyond leads to another.
    rows = np.random.default_rng(0).random((50, len(FEATURES)), np.float32)
    deeper = Trees(**{**vars(packaged), "depth": packaged.depth + 1})
    assert packaged.log_odds(rows).tolist() == deeper.log_odds(rows).tolist()
