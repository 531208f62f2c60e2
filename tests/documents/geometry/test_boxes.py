from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docduck.documents.document import Box
from docduck.documents.geometry.boxes import box_between, overlap, turn, turn_box

unit = st.floats(0, 1)


def test_quarter_turns_are_clockwise() -> None:
    assert turn(0.0, 0.0, 90, 600, 800) == (1.0, 0.0)
    assert turn(0.0, 0.0, 180, 600, 800) == (1.0, 1.0)
    assert turn(0.0, 0.0, -90, 600, 800) == (0.0, 1.0)


@given(unit, unit, st.floats(-40, 40))
def test_turning_back_gives_the_same_point(x: float, y: float, degrees: float) -> None:
    there = turn(x, y, degrees, 600, 800)
    assert turn(*there, -degrees, 600, 800) == pytest.approx((x, y), abs=1e-6)


def test_a_skew_keeps_lengths_in_points() -> None:
    x, y = turn(1.0, 0.5, 5, 600, 800)
    assert ((x - 0.5) * 600) ** 2 + ((y - 0.5) * 800) ** 2 == pytest.approx(300**2)
    assert y > 0.5


def test_a_turned_box() -> None:
    turned = turn_box(Box(0.1, 0.2, 0.3, 0.05), 90, 600, 800)
    assert (turned.left, turned.top) == pytest.approx((0.75, 0.1))
    assert (turned.width, turned.height) == pytest.approx((0.05, 0.3))


def test_boxes_are_cut_to_the_page() -> None:
    assert box_between(1.2, -0.5, 0.5, 0.5) == Box(0.5, 0.0, 0.5, 0.5)


def test_overlap_is_of_the_smaller() -> None:
    large, small = Box(0, 0, 0.4, 0.4), Box(0.3, 0.3, 0.2, 0.1)
    assert overlap(large, small) == pytest.approx(0.5)
    assert overlap(large, Box(0.5, 0.5, 0.1, 0.1)) == 0.0
    assert overlap(large, Box(0.1, 0.1, 0.0, 0.1)) == 0.0
