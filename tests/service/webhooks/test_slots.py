"""The shares of webhooks in the deliveries at the same time."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from docduck.service.webhooks.slots import PROMPT_SECONDS, Slots

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
