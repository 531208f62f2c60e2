"""A value from the network: kept, loaded by one thread at a time, and not asked for again after a failure."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from docduck.errors import Transient
from docduck.service.accounts.openid import kept_value
from docduck.service.accounts.openid.kept_value import KeptValue
from tests.waiting import wait_for


class Network:
    """Counts how often the value is loaded; each load waits for ``goes_on``."""

    def __init__(self) -> None:
        self.loads = 0
        self.fails = False
        self.goes_on = threading.Event()
        self.goes_on.set()

    def load(self) -> int:
        self.loads += 1
        assert self.goes_on.wait(10)
        if self.fails:
            raise Transient("it can't be reached")
        return self.loads


@pytest.fixture
def network() -> Network:
    return Network()


def test_it_is_kept_until_it_is_old_and_outlasts_failures(
    network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = KeptValue(network.load)
    assert [value.get(60), value.get(60), value.get(-1), value.get(60)] == [1, 1, 2, 2]
    network.fails = True
    assert [value.get(-1), value.get(-1)] == [2, 2]
    assert network.loads == 3
    # A failure is remembered for a while.
    value = KeptValue(network.load)
    for _ in range(3):
        with pytest.raises(Transient, match="can't be reached"):
            value.get(60)
    assert network.loads == 4
    network.fails = False
    monkeypatch.setattr(kept_value, "_FAILURE_SECONDS", -1)
    assert value.get(60) == 5


def test_nobody_waits_for_long_while_another_thread_loads(
    network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_value, "_WAIT_SECONDS", 0.05)
    value = KeptValue(network.load)
    with ThreadPoolExecutor(1) as others:
        network.goes_on.clear()
        first = others.submit(value.get, 60)
        wait_for(lambda: network.loads >= 1)
        with pytest.raises(Transient, match="has not answered yet"):
            value.get(60)
        network.goes_on.set()
        assert first.result() == 1
        network.goes_on.clear()
        second = others.submit(value.get, -1)
        wait_for(lambda: network.loads >= 2)
        assert value.get(-1) == 1, "the old value, at once"
        network.goes_on.set()
        assert second.result() == 2
