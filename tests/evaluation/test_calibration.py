from __future__ import annotations

import pytest
from lxml import etree

from docduck.evaluation.calibration import calibrate, plot
from docduck.evaluation.comparison import Comparison, Grade
from docduck.fields import FieldType


def values(confidence: float, right: int, wrong: int) -> list[Comparison]:
    evidence = {"confidence": confidence}
    good = Comparison("F", None, FieldType.TEXT, Grade.RIGHT, "a", "a", evidence)
    bad = Comparison("F", None, FieldType.TEXT, Grade.WRONG, "a", "b", evidence)
    return [good] * right + [bad] * wrong


def test_calibrated_confidence_has_no_error() -> None:
    assert calibrate(values(0.9, 9, 1) + values(0.25, 1, 3)).error == pytest.approx(0.0)


def test_error_is_gap_weighted_by_values() -> None:
    found = calibrate(values(0.9, 0, 10) + values(0.1, 3, 27))
    assert found.count == 40
    assert found.error == pytest.approx(10 / 40 * 0.9)
    assert found.bins[9] is not None
    assert (found.bins[9].count, found.bins[9].accuracy) == (10, 0.0)


def test_missing_values_do_not_count() -> None:
    missing = Comparison("F", None, FieldType.TEXT, Grade.MISSING, "a", None)
    refused = Comparison("F", None, FieldType.TEXT, Grade.MISSING, "a", None, {"confidence": 0.0})
    assert calibrate([missing, refused]).count == 0
    assert calibrate([]).error == 0.0


def test_confidence_one_is_in_the_last_bin() -> None:
    found = calibrate(values(1.0, 5, 0))
    assert found.bins[-1] is not None
    assert found.bins[-1].count == 5


def test_plot_has_a_bar_for_each_bin_with_values() -> None:
    svg = etree.fromstring(plot(calibrate(values(0.9, 9, 1) + values(0.2, 1, 4)), "a < b & c").encode())
    space = {"s": "http://www.w3.org/2000/svg"}
    bars = svg.xpath("//s:g/s:rect", namespaces=space)
    assert [float(bar.get("height")) for bar in bars] == [pytest.approx(60), pytest.approx(270)]
    assert "a < b & c: error 0.000, 15 values" in svg.xpath("string(//s:text[1])", namespaces=space)
