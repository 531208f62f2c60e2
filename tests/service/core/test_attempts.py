from __future__ import annotations

import datetime as dt

import pytest

from docduck import clock
from docduck.service.core.attempts import client_network, count_attempt, waiting_time
from docduck.service.core.installation import Installation


def test_clients_are_told_apart_by_network() -> None:
    for one, other, same in (
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("", "unix", False),
    ):
        assert (client_network(one) == client_network(other)) is same, (one, other)


def test_attempts_are_counted_in_windows(any_inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = dt.datetime(2026, 1, 1, 12, 10, tzinfo=dt.UTC)
    monkeypatch.setattr(clock, "now", lambda: moment)
    counted = [count_attempt(any_inst, "test", "ann", 2, 900) for _ in range(3)]
    assert counted == [None, None, 300]
    assert count_attempt(any_inst, "test", "bob", 2, 900) is None
    assert count_attempt(any_inst, "another purpose", "ann", 2, 900) is None
    moment += dt.timedelta(seconds=300)
    assert count_attempt(any_inst, "test", "ann", 2, 900) is None
    assert (waiting_time(60), waiting_time(61)) == ("1 minute", "2 minutes")
