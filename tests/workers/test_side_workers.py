"""Side workers: whatever asks for one, there are never more than the bound."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from docduck.errors import TooMany, Transient
from docduck.workers.side_workers import MOST_WAITING, SideWorkers
from tests.waiting import wait_for
from tests.workers.processes import workers
from tests.workers.test_pool import finish, pool


@pytest.fixture
def side() -> Iterator[SideWorkers]:
    made = SideWorkers(1)
    yield made
    made.close()


def wait_for_waiting(side: SideWorkers, count: int) -> None:
    wait_for(lambda: len(side._waiting) >= count)


def ask(side: SideWorkers, kind: str, *task: Any) -> Any:
    with side.pool(kind, f"team {kind}", pool) as running:
        running.submit("a", task)
        outcome = finish(running)["a"]
        return outcome.error or outcome.result


@pytest.mark.parametrize("most", [1, 2])
def test_kinds_share_the_workers(most: int) -> None:
    side, before, seen = SideWorkers(most), workers(), 0
    try:
        with ThreadPoolExecutor(6) as threads:
            asked = [threads.submit(ask, side, kind, "sleep", 0.1, kind) for kind in "abcabc"]
            while not all(one.done() for one in asked):
                seen = max(seen, workers() - before)
                time.sleep(0.005)
        assert [one.result() for one in asked] == list("abcabc")
        assert seen == most
        assert workers() - before <= most
    finally:
        side.close()
    assert workers() == before


def test_the_next_of_a_kind_finds_its_worker(side: SideWorkers) -> None:
    first = ask(side, "a", "pid")
    assert ask(side, "a", "pid") == first
    assert ask(side, "b", "pid") != first
    assert ask(side, "a", "pid") != first


def test_they_have_their_turns_in_the_order_in_which_they_ask(side: SideWorkers) -> None:
    order: list[str] = []

    def take(kind: str) -> None:
        with side.pool(kind, "team", pool):
            order.append(kind)

    with side.pool("first", "team", pool):
        threads = [threading.Thread(target=take, args=(kind,)) for kind in "abcb"]
        for count, thread in enumerate(threads, start=1):
            thread.start()
            wait_for_waiting(side, count)
    for thread in threads:
        thread.join()
    assert order == list("abcb")


def test_a_pool_that_is_left_in_the_middle_is_not_used_again(side: SideWorkers) -> None:
    before = workers()
    with pytest.raises(KeyError), side.pool("a", "team", pool) as running:
        running.submit("a", ("sleep", 60))
        raise KeyError
    assert workers() == before
    with side.pool("a", "team", pool) as running:
        running.submit("a", ("sleep", 60))
    assert workers() == before
    assert ask(side, "a", "echo", 1) == 1


def test_one_that_cannot_be_made_leaves_its_turn_to_others(side: SideWorkers) -> None:
    def fail() -> Any:
        raise MemoryError

    with pytest.raises(MemoryError), side.pool("a", "team", fail):
        pass
    assert ask(side, "a", "echo", 1) == 1


def test_teams_take_turns(side: SideWorkers) -> None:
    order: list[str] = []

    def take(team_id: str) -> None:
        with side.pool("a", team_id, pool):
            order.append(team_id)
            time.sleep(0.05)

    with side.pool("a", "busy", pool):
        threads = [
            threading.Thread(target=take, args=(one,)) for one in ("busy",) * MOST_WAITING + ("other",)
        ]
        for count, thread in enumerate(threads, start=1):
            thread.start()
            wait_for_waiting(side, count)
        with pytest.raises(TooMany), side.pool("a", "busy", pool):
            pass
    for thread in threads:
        thread.join()
    assert order.index("other") == 0
    assert order.count("busy") == MOST_WAITING


def test_who_waits_too_long_is_told_to_come_again(side: SideWorkers) -> None:
    with (
        side.pool("a", "one", pool),
        pytest.raises(Transient, match="try again"),
        side.pool("a", "other", pool, 0.05),
    ):
        pass
    assert ask(side, "a", "echo", 1) == 1
