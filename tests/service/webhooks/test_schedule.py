"""The schedule of attempts: exactly eight, over about 28 hours, never early."""

from __future__ import annotations

import math
import random

from hypothesis import given
from hypothesis import strategies as st

from docduck.service.webhooks.delivery_queue import DELAYS, LONGEST_WAIT_SECONDS, next_delay

WAITS = st.none() | st.floats(0, allow_nan=False)


def test_the_schedule_without_jitter() -> None:
    hours = 3600
    delays = [next_delay(attempts, chance=0) for attempts in range(1, 10)]
    assert delays == [5, 300, 1800, 2 * hours, 5 * hours, 10 * hours, 10 * hours, None, None]
    assert DELAYS[0] == 0


@given(st.lists(st.floats(0, 1), min_size=7, max_size=7))
def test_eight_attempts_take_about_28_hours(chances: list[float]) -> None:
    delays = [next_delay(attempts, chance=chance) for attempts, chance in enumerate(chances, 1)]
    total = sum(one or 0 for one in delays) / 3600
    assert 27.5 <= total <= 30.4
    assert next_delay(8) is None


@given(st.integers(1, 100), WAITS, st.floats(0, 1))
def test_a_delay_is_never_early_nor_endless(attempts: int, retry_after: float | None, chance: float) -> None:
    delay = next_delay(attempts, retry_after, chance)
    if attempts >= len(DELAYS):
        assert delay is None
        return
    least, asked = DELAYS[attempts], min(retry_after or 0.0, LONGEST_WAIT_SECONDS)
    assert delay is not None and math.isfinite(delay)
    assert max(least, asked) <= delay <= max(least * 1.1, asked)
    if asked <= least:
        assert delay <= least * 1.1


def test_the_jitter_spreads_attempts() -> None:
    random.seed(1)
    delays = [next_delay(2) or 0 for _ in range(200)]
    assert min(delays) < 303 < 327 < max(delays)
