"""Charts of results."""

from __future__ import annotations

import pytest

from docduck.warehouse.query_order import TeamResult
from docduck.web.query.chart import HEIGHT, WIDTH, ChartChoice, axes_of, chart_of


def result(types: tuple[str, ...], *rows: tuple[str | None, ...]) -> TeamResult:
    return TeamResult(tuple("abcdef"[: len(types)]), types, rows, False)


def test_bars_stand_on_zero_and_stay_inside() -> None:
    chart = chart_of(
        result(
            ("VARCHAR[]", "VARCHAR", "DECIMAL(9,2)"),
            ("[]", "x", "-5.00"),
            ("[]", None, "10.00"),
            ("[]", "nothing", None),
            ("[]", "nan", "nan"),
            ("[]", "inf", "-inf"),
        ),
        ChartChoice(x="b", y="c"),
    )
    assert chart is not None
    assert (chart.title, chart.points, chart.left_out) == ("c by b", None, 0)
    below, above = chart.bars
    assert above.y + above.height == pytest.approx(below.y)
    assert above.height == pytest.approx(2 * below.height, abs=0.2)
    assert all(bar.x >= 0 and bar.x + bar.width <= WIDTH for bar in chart.bars)
    assert all(bar.y >= 0 and bar.y + bar.height <= HEIGHT for bar in chart.bars)
    assert [mark.text for mark in chart.y_marks] == ["-5", "0", "10"]


def test_moments_make_a_line_in_their_order() -> None:
    chart = chart_of(
        result(("TIMESTAMP WITH TIME ZONE", "DOUBLE"), ("2026-02-01", "-1.7e308"), ("2026-01-01", "1.7e308")),
        ChartChoice(),
    )
    assert chart is not None and chart.points is not None
    assert [mark.text for mark in chart.x_marks] == ["2026-01-01", "2026-02-01"]
    first, last = chart.points.split()
    assert float(first.split(",")[1]) < float(last.split(",")[1])


def test_further_bars_are_left_out() -> None:
    chart = chart_of(
        result(("VARCHAR", "BIGINT"), *((f"n{at}", str(at)) for at in range(100))), ChartChoice()
    )
    assert chart is not None
    assert (len(chart.bars), chart.left_out) == (40, 60)


@pytest.mark.parametrize(
    "found",
    [
        result(("VARCHAR", "VARCHAR"), ("a", "b"), ("c", "d")),
        result(("BIGINT", "DOUBLE"), ("1", "2"), ("3", "4")),
        result(("VARCHAR", "BIGINT"), ("a", "1")),
        result(("VARCHAR", "BIGINT[]"), ("a", "[1]"), ("b", "[2]")),
        result(("VARCHAR", "VARCHAR", "BIGINT"), ("a", "b", "1"), ("c", "d", "2")),
    ],
)
def test_other_results_have_no_chart(found: TeamResult) -> None:
    assert chart_of(found, ChartChoice()) is None
    assert chart_of(found, ChartChoice("bar", "a", "nothing")) is None


def test_axes_and_kind_are_chosen() -> None:
    found = result(("BIGINT", "DOUBLE", "VARCHAR"), ("2", "1", "x"), ("10", "3", "y"))
    axes = axes_of(found, ChartChoice())
    assert axes is not None
    assert (axes.labels, axes.numbers) == (("a", "b", "c"), ("a", "b"))
    line = chart_of(found, ChartChoice("line", "a", "b"))
    assert line is not None and line.points
    assert [mark.text for mark in line.x_marks] == ["2", "10"], "numbers are in their order"
    bars = chart_of(found, ChartChoice("bar", "c", "a"))
    assert bars is not None and bars.points is None
    assert chart_of(found, ChartChoice("none", "c", "a")) is None
    assert axes_of(result(("VARCHAR", "VARCHAR"), ("a", "b"), ("c", "d")), ChartChoice()) is None
