from __future__ import annotations

import json

import pytest

from docduck.extraction.confidence import WEIGHTS, Evidence
from tools.training.confidence_fit import calibration, judged
from tools.training.queried_looks import HELD_OUT

PLAIN = Evidence("amount", 0.7)


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (Evidence("amount", 0.9), PLAIN),
        (Evidence("amount", 0.7, checked=True), PLAIN),
        (PLAIN, Evidence("amount", 0.7, ocr=0.6)),
        (PLAIN, Evidence("amount", 0.7, labelled=False)),
        (Evidence("label", 0.9), Evidence("label", 0.9, paired=0.5)),
    ],
)
def test_evidence_raises_confidence(more: Evidence, less: Evidence) -> None:
    assert 0.0 < less.probability < more.probability < 1.0


def test_confidence_is_bounded() -> None:
    assert Evidence("date", -1.0).probability > 0.0
    assert Evidence("date", 9.0).probability < 1.0


@pytest.mark.extended
def test_confidence_is_calibrated_on_documents_that_it_was_not_fitted_to() -> None:
    """The expected calibration error is below 0.05, absent fields included."""
    weights = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    found = calibration(judged(range(0, 40 * HELD_OUT, HELD_OUT)), weights)
    assert found.count > 500
    assert found.error < 0.05
