from __future__ import annotations

import datetime as dt
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from sqlalchemy import text

from docduck import clock
from docduck.errors import InputError, Transient
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.core.rate_counters import FILE_NAME, Limits
from docduck.service.requests.rate_limits import RateLimit, count_request, delete_old_counters
from docduck.service.upkeep import housekeeping
from tests.conftest import MakeInstallation
from tests.redis_server import redis_server
from tests.service.processing.threads import at_once

NOON = dt.datetime(2026, 3, 1, 12, 0, 20, tzinfo=dt.UTC)
MIDNIGHT = int(dt.datetime(2026, 3, 2, tzinfo=dt.UTC).timestamp())
NEXT_MINUTE = int(NOON.timestamp()) + 40
MANY = """
import datetime as dt, sys, threading
from docduck.service.core.installation import open_installation
from docduck.service.requests.rate_limits import count_request

key, seconds, threads, times = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
moment = dt.datetime.fromtimestamp(seconds, dt.UTC)
inst = open_installation()
allowed = []

def ask():
    for _ in range(times):
        if count_request(inst, key, moment).allowed:
            allowed.append(1)

print("ready", flush=True)
sys.stdin.readline()
crowd = [threading.Thread(target=ask) for _ in range(threads)]
for one in crowd:
    one.start()
for one in crowd:
    one.join()
inst.close()
print(len(allowed))
"""


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres), "redis"])
def settings(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """What makes an installation count in each of the places."""
    if request.param == "sqlite":
        yield {}
    elif request.param == "postgres":
        yield {"catalog_url": request.getfixturevalue("postgres_database")}
    else:
        with redis_server() as server:
            yield {"rate_limit_redis_url": server.address}


def ask(inst: Installation, key: str, moment: dt.datetime = NOON) -> RateLimit:
    found = count_request(inst, key, moment)
    assert found is not None
    return found


def test_the_window_with_the_fewest_requests_left_is_told(
    settings: dict[str, Any], make_installation: MakeInstallation
) -> None:
    inst, key = make_installation(rate_limit_minute=3, rate_limit_day=4, **settings), new_id()
    assert ask(inst, key) == RateLimit(3, 2, NEXT_MINUTE, True, 0)
    assert ask(inst, key) == RateLimit(3, 1, NEXT_MINUTE, True, 0)
    assert ask(inst, key) == RateLimit(3, 0, NEXT_MINUTE, True, 0)
    assert ask(inst, key) == RateLimit(3, 0, NEXT_MINUTE, False, 40)
    later = NOON + dt.timedelta(seconds=40)
    assert ask(inst, key, later) == RateLimit(4, 0, MIDNIGHT, True, 0)
    assert ask(inst, key, later) == RateLimit(4, 0, MIDNIGHT, False, MIDNIGHT - NEXT_MINUTE)
    assert ask(inst, new_id(), later).allowed
    tomorrow = NOON + dt.timedelta(days=1)
    assert ask(inst, key, tomorrow) == RateLimit(3, 2, NEXT_MINUTE + 86_400, True, 0)


def test_one_limit_may_be_off_or_both(settings: dict[str, Any], make_installation: MakeInstallation) -> None:
    key = new_id()
    day = make_installation(rate_limit_minute=0, rate_limit_day=2, **settings)
    assert [ask(day, key).allowed for _ in range(3)] == [True, True, False]
    # A blocked request costs nothing, and a lower limit holds at once.
    both, third = make_installation(rate_limit_minute=2, rate_limit_day=5, **settings), new_id()
    minutes = [[ask(both, third, NOON + dt.timedelta(minutes=n)).allowed for _ in range(4)] for n in range(3)]
    assert minutes == [[True, True, False, False]] * 2 + [[True, False, False, False]]
    tomorrow = NOON + dt.timedelta(days=1)
    assert ask(both, third, tomorrow).remaining == 1
    lower = make_installation(rate_limit_minute=1, **settings)
    assert ask(lower, third, tomorrow) == RateLimit(1, 0, NEXT_MINUTE + 86_400, False, 40)
    minute = make_installation(rate_limit_minute=2, rate_limit_day=0, **settings)
    other = new_id()
    assert [ask(minute, other).remaining for _ in range(3)] == [1, 0, 0]
    neither = make_installation(rate_limit_minute=0, rate_limit_day=0, **settings)
    assert count_request(neither, key, NOON) is None


def test_a_clock_that_is_late_counts_to_the_present_window(
    settings: dict[str, Any], make_installation: MakeInstallation
) -> None:
    inst, key = make_installation(rate_limit_minute=2, rate_limit_day=100, **settings), new_id()
    late = NOON - dt.timedelta(seconds=21)
    assert ask(inst, key, NOON).remaining == 1
    assert ask(inst, key, late) == RateLimit(2, 0, NEXT_MINUTE, True, 0)
    assert ask(inst, key, late).retry_after == 61
    # One that was years ahead must not lock the key for years.
    ahead = NOON + dt.timedelta(days=4000)
    assert ask(inst, key, ahead).allowed
    assert ask(inst, key, NOON).remaining == 1


@pytest.mark.slow
def test_what_is_given_back_does_not_count(
    settings: dict[str, Any], make_installation: MakeInstallation
) -> None:
    counters, key, two = make_installation(**settings).rate_counts, new_id(), Limits(2, 0)
    first = counters.take(key, 7, 1, two)
    counters.take(key, 7, 1, two)
    assert not counters.take(key, 7, 1, two).taken
    counters.give_back(key, first)
    assert counters.take(key, 7, 1, two).taken
    assert not counters.take(key, 7, 1, two).taken
    assert counters.take(key, 8, 1, two).minute_count == 1
    counters.give_back(key, first)
    assert counters.take(key, 8, 1, two).minute_count == 2, "its window is over"
    counters.give_back(new_id(), first)


@pytest.mark.extended
def test_the_count_is_exact_whoever_asks(
    settings: dict[str, Any], make_installation: MakeInstallation
) -> None:
    inst, key = make_installation(rate_limit_minute=100, **settings), new_id()
    environment = {
        **os.environ,
        "DOCDUCK_HOME": str(inst.settings.home),
        "DOCDUCK_RATE_LIMIT_MINUTE": "100",
        **{f"DOCDUCK_{name.upper()}": value for name, value in settings.items()},
    }
    arguments = [sys.executable, "-c", MANY, key, str(NOON.timestamp()), "8", "40"]
    crowd = [
        subprocess.Popen(arguments, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for one in crowd:
        assert one.stdout is not None and one.stdout.readline() == "ready\n"
    for one in crowd:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    told = [one.communicate(timeout=120)[0] for one in crowd]
    assert [one.returncode for one in crowd] == [0, 0, 0]
    assert sum(int(count) for count in told) == 100
    assert ask(inst, key, NOON + dt.timedelta(minutes=1)).remaining == 99


def test_threads_of_several_services_count_exactly(
    settings: dict[str, Any], make_installation: MakeInstallation
) -> None:
    services = [make_installation(rate_limit_minute=0, rate_limit_day=50, **settings) for _ in range(2)]
    key = new_id()
    allowed: list[bool] = []

    def ask_often(inst: Installation) -> None:
        allowed.extend(ask(inst, key).allowed for _ in range(20))

    at_once(*(partial(ask_often, services[number % 2]) for number in range(8)))
    assert (len(allowed), sum(allowed)) == (160, 50)


def test_requests_do_not_wait_for_the_catalog_s_writer(inst: Installation) -> None:
    asked: list[RateLimit] = []
    with inst.catalog.transaction() as session:
        session.execute(text("UPDATE teams SET name = 'busy'"))
        one = threading.Thread(target=lambda: asked.append(ask(inst, new_id())), daemon=True)
        one.start()
        one.join(10)
        assert [limit.allowed for limit in asked] == [True]


def test_counts_of_unused_keys_are_forgotten(any_inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    unused, used = new_id(), new_id()
    ask(any_inst, unused, NOON)
    ask(any_inst, used, NOON + dt.timedelta(days=1))
    monkeypatch.setattr(clock, "now", lambda: NOON + dt.timedelta(days=2))
    assert delete_old_counters(any_inst) == 1
    assert delete_old_counters(any_inst) == 0
    assert ask(any_inst, used, NOON + dt.timedelta(days=1)).remaining == 98
    monkeypatch.setattr(clock, "now", lambda: NOON + dt.timedelta(days=9))
    housekeeping.sweep(any_inst)
    assert delete_old_counters(any_inst) == 0


def test_a_file_that_is_no_database_is_told(inst: Installation, caplog: pytest.LogCaptureFixture) -> None:
    (inst.settings.home / FILE_NAME).write_text("not a database, but long enough to be taken for one" * 40)
    with pytest.raises(Transient, match="Requests can't be counted"):
        ask(inst, new_id())
    assert FILE_NAME in caplog.text
    with pytest.raises(Transient):
        delete_old_counters(inst)


def test_while_redis_is_away_nothing_passes(
    make_installation: MakeInstallation, caplog: pytest.LogCaptureFixture
) -> None:
    with redis_server() as redis:
        inst, key = make_installation(rate_limit_redis_url=redis.address), new_id()
        assert ask(inst, key).remaining == 99
        redis.stop()
        with caplog.at_level(logging.ERROR), pytest.raises(Transient, match="can't be counted"):
            ask(inst, key)
        assert "Redis can't count requests" in caplog.text
        redis.start()
        assert ask(inst, key).remaining == 99


def test_redis_needs_a_right_address_and_its_package_if_it_counts(
    make_installation: MakeInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(rate_limit_redis_url="nonsense://user:s3cret@host")
    with pytest.raises(InputError, match="DOCDUCK_RATE_LIMIT_REDIS_URL") as caught:
        ask(inst, new_id())
    assert "s3cret" not in str(caught.value)
    monkeypatch.setitem(sys.modules, "redis", None)
    assert ask(make_installation(), new_id()).allowed
    inst = make_installation(rate_limit_redis_url="redis://127.0.0.1:1/0")
    with pytest.raises(InputError, match=r"docduck\[redis\]"):
        ask(inst, new_id())


@pytest.mark.extended
def test_redis_is_not_imported_unless_it_counts(inst: Installation) -> None:
    code = (
        "import sys; from docduck.service.core.installation import open_installation as o; i = o();"
        "from docduck.service.requests.rate_limits import count_request; count_request(i, 'k'); i.close();"
        "sys.exit('redis' in sys.modules)"
    )
    environment = {**os.environ, "DOCDUCK_HOME": str(inst.settings.home)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, timeout=60).returncode == 0
