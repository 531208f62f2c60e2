from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from docduck.extraction.extractors.layout.ranker import FEATURES, load
from tests.training.__main__ import main
from tests.training.documents import synthetic_documents
from tests.training.examples import examples
from tests.training.fit import accuracy

SPARE = range(700_001, 700_121)
"""Senders not used in training."""


def test_sender_documents_are_deterministic() -> None:
    first, second = synthetic_documents(17, 2), synthetic_documents(17, 2)
    assert [one.truth for one in first] == [one.truth for one in second]
    assert [one.document for one in first] == [one.document for one in second]
    assert synthetic_documents(18, 1)[0].document != first[0].document


def test_the_weights_fit_the_features() -> None:
    ranker = load()
    assert ranker.weights.keys() == ranker.none.keys()
    assert {len(weights) for weights in ranker.weights.values()} == {len(FEATURES)}


def test_the_ranker_beats_the_rules_on_new_senders() -> None:
    """The rules are weakest at dates, totals and numbers with unknown labels."""
    ranker = load()
    questions = [one for sender in SPARE for one in examples(synthetic_documents(sender, 1), sender)]
    for group in ("date", "grand_total"):
        some = [one for one in questions if one.group == group]
        weights = np.array([*ranker.weights[group], ranker.none[group]])
        learned, ruled = accuracy(weights, some)
        assert learned > ruled + 0.02, group
        assert learned > 0.85, group


@pytest.mark.slow
def test_training_is_repeatable(tmp_path: Path) -> None:
    for name in ("a", "b"):
        main(60, 1, 1, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert json.loads((tmp_path / "a").read_text())["features"] == list(FEATURES)
