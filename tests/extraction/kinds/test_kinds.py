"""Documents of held-out kinds: most fields are found, few are wrong, and none is invented."""

from __future__ import annotations

import pytest

from tests.extraction.kinds.documents import found, same, samples, score


@pytest.mark.slow
@pytest.mark.parametrize("pdf", [False, True], ids=["text", "pdf"])
@pytest.mark.parametrize(("half", "least"), [("seen", 0.88), ("held", 0.81)])
def test_fields_of_many_kinds(half: str, least: float, pdf: bool) -> None:
    result = score((sample, found(sample, pdf)[0]) for sample in samples(half))
    assert result.f1 >= least
    assert result.precision >= 0.87


@pytest.mark.parametrize("half", ["seen", "held"])
def test_absent_fields_stay_empty(half: str) -> None:
    invented = [
        (sample.kind, name)
        for sample in samples(half)
        for name, value in found(sample)[0].items()
        if sample.truth[name] is None and value not in (None, [])
    ]
    assert len(invented) <= 1


def test_confidence_is_calibrated() -> None:
    sure: list[float] = []
    right = 0
    for sample in (*samples("seen"), *samples("held")):
        data, metadata = found(sample)
        for name, truth in sample.truth.items():
            if data[name] not in (None, []):
                sure.append(metadata[name]["confidence"])
                right += same(data[name], truth)
    assert abs(sum(sure) / len(sure) - right / len(sure)) < 0.12
