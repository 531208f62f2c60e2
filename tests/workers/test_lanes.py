"""Slow tasks leave the way free for others."""

from __future__ import annotations

import os
import signal
import time

from tests.workers.test_pool import ROOMY, Pool, finish, pool

SLOW = 0.5


def lanes(workers: int = 2) -> Pool:
    return pool(workers, ROOMY, slow_seconds=SLOW)


def drop(running: Pool, names: str, seconds: float, *, slow: bool = False, lengthy: bool = False) -> None:
    for name in names:
        running.submit(name, ("sleep", seconds, name), slow=slow, lengthy=lengthy)


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


def test_lengthy_tasks_have_half_of_the_workers_even_without_others() -> None:
    with lanes() as running:
        drop(running, "ABCD", 20.0, slow=True, lengthy=True)
        time.sleep(2)
        drop(running, "abc", 0.05)
        assert done_within(running, "abc", 15) == set()
        assert running.slow_in_flight == running.lengthy_in_flight == running.in_flight == 4


def test_a_task_that_turns_out_to_be_lengthy_leaves_at_once_unless_it_has_a_place() -> None:
    with lanes() as running:
        drop(running, "AB", 3.0, lengthy=True)
        outcomes = finish(running)
    (aside,) = (outcome for outcome in outcomes.values() if outcome.set_aside)
    assert aside.seconds < 2


def test_a_task_submitted_as_slow_is_never_set_aside() -> None:
    with lanes() as running:
        drop(running, "AB", 3.0, slow=True)
        time.sleep(1)
        drop(running, "abcd", 0.05)
        assert done_within(running, "ABabcd", 30) == set()


def test_slow_tasks_have_their_share_however_many_others_come() -> None:
    with lanes() as running:
        drop(running, "abcdefghijklmnopqrstuvwxyz", 0.4)
        drop(running, "A", 0.4, slow=True)
        first = []
        while "A" not in first:
            first += [outcome.key for outcome in running.wait(0.1)]
        assert running.in_flight > 10


def test_a_task_that_is_dropped_leaves_its_worker_to_others() -> None:
    with lanes() as running:
        drop(running, "AB", 60.0)
        while running.slow_in_flight < 2:
            time.sleep(0.05)
        for name in "AB":
            running.drop(name)
        drop(running, "abc", 0.05)
        assert done_within(running, "abc", 15) == set()
        assert running.in_flight == 0


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


def test_a_task_that_is_dropped_before_its_worker_has_taken_it_is_gone() -> None:
    with pool(1, ROOMY) as running:
        running.submit("warm", ("echo", 1))
        assert finish(running).keys() == {"warm"}
        (pid,) = running.pids
        os.kill(pid, signal.SIGSTOP)
        running.submit("A", ("echo", 2))
        time.sleep(0.5)
        running.drop("A")
        time.sleep(0.5)
        running.submit("B", ("echo", 3))
        assert finish(running).keys() == {"B"}
        assert running.in_flight == 0
