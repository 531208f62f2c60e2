from __future__ import annotations

from random import Random

from docduck.evaluation.calibration import calibrate
from docduck.evaluation.comparison import Comparison, Grade
from docduck.extraction.confidence import ConfidenceFeatures
from docduck.extraction.extractors.layout.ranker import load
from docduck.extraction.run_extractors import extract_document
from tests.training.documents import synthetic_documents
from tests.training.examples import same, targets

SPARE = range(800_001, 800_181)


def test_evidence_raises_confidence() -> None:
    certain = load().confidence_of
    plain = certain("amount", ConfidenceFeatures(0.7, 0.5))
    assert certain("amount", ConfidenceFeatures(0.9, 0.5)) > plain
    assert certain("amount", ConfidenceFeatures(0.7, 0.1)) > plain
    assert certain("amount", ConfidenceFeatures(0.7, 0.5, checked=True)) > plain
    assert certain("date", ConfidenceFeatures(0.7, 0.5, ocr=0.6)) < certain(
        "date", ConfidenceFeatures(0.7, 0.5)
    )
    assert 0.0 < certain("date", ConfidenceFeatures(-1.0)) < certain("date", ConfidenceFeatures(9.0)) < 1.0


def test_confidence_is_calibrated_on_new_senders() -> None:
    """The expected calibration error stays below 0.05, absent fields included."""
    judged: list[Comparison] = []
    for sender in SPARE:
        (one,) = synthetic_documents(sender, 1)
        asked = {t.name: t for t in targets(Random(sender)) if t.concept}
        found = extract_document(one.document, [target.field for target in asked.values()])
        for name, target in asked.items():
            value = found.data[name]
            if value is None or target.concept is None:
                continue
            truth = one.truth.get(target.concept.name)
            right = same(value, truth)
            if isinstance(value, int | float) and truth is not None:
                right = abs(value) == float(truth)
            outcome = Grade.RIGHT if right else Grade.WRONG
            evidence = found.field_metadata[name]
            judged.append(Comparison(name, None, target.field.type, outcome, truth, value, evidence))
    calibration = calibrate(judged)
    assert calibration.count > 500
    assert calibration.error < 0.05
