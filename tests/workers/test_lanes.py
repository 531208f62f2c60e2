"""Slow tasks leave the way free for others."""

from __future__ import annotations

import time

from tests.workers.test_pool import ROOMY, Pool, finish, pool

SLOW = 0.5


def lanes(workers: int = 2) -> Pool:
    return pool(workers, ROOMY, slow_seconds=SLOW)


def drop(running: Pool, names: str, seconds: float, slow: bool = False) -> None:
    for name in names:
        running.submit(name, ("sleep", seconds, name), slow=slow)


def done_within(running: Pool, names: str, seconds: float) -> set[str]:
    """Wait until these are done; return what was set aside meanwhile."""
    left, aside = set(names), set()
    deadline = time.monotonic() + seconds
    while left:
        assert time.monotonic() < deadline, left
        for outcome in running.wait(0.1):
            if outcome.set_aside:
                aside.add(outcome.key)
            elif outcome.key in left:
                left.remove(outcome.key)
            else:
                raise AssertionError(outcome)
    return aside


def test_what_takes_long_is_set_aside_for_others_but_for_half_of_the_workers() -> None:
    with lanes() as running:
        drop(running, "AB", 60.0)
        while running.slow_in_flight < 2:
            time.sleep(0.05)
        drop(running, "abcdef", 0.05)
        aside = done_within(running, "abcdef", 15)
        assert len(aside) == 1
        assert running.slow_in_flight == 1
        assert running.in_flight == 1


def test_without_others_slow_tasks_have_all_workers() -> None:
    with lanes() as running:
        drop(running, "AB", 1.5)
        outcomes = finish(running)
    assert {key: outcome.set_aside for key, outcome in outcomes.items()} == {"A": False, "B": False}


def test_known_slow_tasks_wait_behind_all_others() -> None:
    with lanes() as running:
        drop(running, "ABCD", 20.0, slow=True)
        time.sleep(2)
        drop(running, "abc", 0.05)
        aside = done_within(running, "abc", 15)
        assert len(aside) <= 1
        assert running.slow_in_flight == running.in_flight == 4 - len(aside)


def test_a_single_worker_is_joined_by_a_second_one() -> None:
    with lanes(workers=1) as running:
        drop(running, "A", 30.0)
        while not running.slow_in_flight:
            time.sleep(0.05)
        drop(running, "ab", 0.05)
        assert done_within(running, "ab", 15) == set()


def test_a_task_that_was_set_aside_is_done_when_submitted_again() -> None:
    with lanes() as running:
        drop(running, "AB", 3.0)
        while running.slow_in_flight < 2:
            time.sleep(0.05)
        drop(running, "abc", 0.05)
        (aside,) = done_within(running, "abc", 15)
        running.submit(aside, ("sleep", 1.0, aside), slow=True)
        assert finish(running)[aside].result == aside
