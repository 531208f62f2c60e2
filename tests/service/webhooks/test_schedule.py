"""The schedule of attempts: exactly eight, over about 28 hours, never early; the shares of webhooks."""

from __future__ import annotations

import math
import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from docduck.service.webhooks.delivery_queue import DELAYS, LONGEST_WAIT_SECONDS, next_delay
from docduck.service.webhooks.slots import PROMPT_SECONDS, Slots

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


SLOW, FAST = PROMPT_SECONDS + 1, 0.1


def prompt(slots: Slots, *webhooks: str) -> None:
    for one in webhooks:
        slots.start(one)
        slots.end(one, FAST)


def begin(slots: Slots, *webhooks: str) -> Counter[str]:
    begun = Counter(slots.allot(webhooks))
    for one in begun.elements():
        slots.start(one)
    return begun


def test_one_that_has_not_answered_yet_gets_one_slot_and_then_its_share() -> None:
    slots = Slots(10, 4)
    assert begin(slots, "a") == {"a": 1}
    assert begin(slots, "a") == {}
    slots.end("a", FAST)
    assert begin(slots, "a") == {"a": 4}
    for _ in range(4):
        slots.end("a", SLOW)
    assert begin(slots, "a") == {"a": 1}


def test_slow_ones_leave_half_to_the_prompt() -> None:
    slots = Slots(10, 4)
    prompt(slots, "fast")
    slow = [f"slow-{number}" for number in range(50)]
    assert begin(slots, *slow).total() == 5
    assert begin(slots, *slow, "fast") == {"fast": 4}
    assert begin(slots, *slow) == {}


def test_they_take_turns() -> None:
    slots = Slots(4, 4)
    slow = [f"slow-{number}" for number in range(6)]
    served: list[str] = []
    for _ in range(3):
        begun = [*begin(slots, *slow)]
        served += begun
        for one in begun:
            slots.end(one, SLOW)
    assert sorted(served) == slow


@given(
    st.integers(2, 20),
    st.integers(1, 8),
    st.lists(st.tuples(st.sampled_from("abcdefgh"), st.booleans(), st.booleans()), max_size=60),
)
def test_never_more_than_allowed(total: int, each: int, steps: list[tuple[str, bool, bool]]) -> None:
    slots = Slots(total, each)
    busy: Counter[str] = Counter()
    for name, starts, is_fast in steps:
        if starts:
            busy += begin(slots, name, "a")
        elif busy[name]:
            busy[name] -= 1
            slots.end(name, FAST if is_fast else SLOW)
        assert busy.total() <= total
        assert max(busy.values(), default=0) <= each
