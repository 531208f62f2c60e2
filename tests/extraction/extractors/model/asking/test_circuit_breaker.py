"""A model that has failed to answer is left alone for a while, by every process of the host."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docduck import clock
from docduck.extraction.extractors.model.asking import circuit_breaker
from docduck.extraction.extractors.model.asking.circuit_breaker import CircuitBreaker
from docduck.extraction.model_options import ModelOptions
from tests.endpoint import Reply, model, says
from tests.extraction.extractors.model.asking.test_failures import is_read_without_it
from tests.extraction.extractors.model.reading import Reader
from tests.extraction.extractors.model.test_reading import RIGHT

HUNG = Reply({}, wait=2)
BROKEN = Reply({"error": {"message": "out of memory"}}, 500)


def breaker_of(read: Reader, url: str) -> CircuitBreaker:
    return CircuitBreaker(ModelOptions(url, "small", slots=read.folder / "slots"))


def test_a_model_that_hangs_costs_one_document_its_limit_and_the_next_nothing(read: Reader) -> None:
    with model([HUNG]) as endpoint:
        for _ in range(3):
            found = read(endpoint.url, seconds=0.3, retries=3)
            assert is_read_without_it(found, "no answer within")
        assert len(endpoint.questions) == 1
        assert "it is asked again at" in found.warnings[0]
        away = breaker_of(read, endpoint.url).away
    assert away is not None and away.until - away.since == circuit_breaker._FIRST_PAUSE
    assert away.reason.startswith("no answer within")


@pytest.mark.parametrize("retries", [0, 5])
def test_three_server_errors_in_a_row_are_enough(read: Reader, retries: int) -> None:
    with model([BROKEN]) as endpoint:
        for _ in range(4):
            found = read(endpoint.url, retries=retries)
        assert is_read_without_it(found, "status 500 (out of memory), since")
    assert len(endpoint.questions) == 3


def test_a_connection_that_is_refused_three_times_is_enough(read: Reader) -> None:
    url = "http://127.0.0.1:9/v1"
    read(url, retries=1)
    assert breaker_of(read, url).away is None
    assert is_read_without_it(read(url, retries=1), "the connection failed: ConnectError, since")
    assert breaker_of(read, url).away is not None


@pytest.mark.parametrize(
    "reply",
    [
        Reply({"error": "slow down"}, 429, {"Retry-After": "0"}),
        Reply({"error": "no"}, 401),
        Reply({"error": "no"}, 400),
        Reply({"error": {"message": "Loading model"}}, 503),
        Reply({"error": {"message": "image input is not supported"}}, 500),
        says("no JSON at all"),
    ],
)
def test_a_server_that_answers_is_not_away(read: Reader, reply: Reply) -> None:
    with model([reply]) as endpoint:
        for _ in range(4):
            assert read(endpoint.url, retries=1).warnings
        assert breaker_of(read, endpoint.url).away is None
        assert len(endpoint.questions) >= 4


def test_after_the_pause_a_document_tries_and_an_answer_ends_it(
    read: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(circuit_breaker, "_FIRST_PAUSE", dt.timedelta(0))
    with model([BROKEN, BROKEN, BROKEN, says(RIGHT), BROKEN, says(RIGHT)]) as endpoint:
        for _ in range(3):
            read(endpoint.url)
        breaker = breaker_of(read, endpoint.url)
        assert breaker.away is not None and breaker.away.message.endswith("asked again for the next document")
        assert read(endpoint.url).warnings == []
        assert breaker.away is None
        # It counts from the beginning again.
        assert read(endpoint.url).warnings and breaker.away is None
        assert read(endpoint.url).warnings == []


def test_other_models_are_asked(read: Reader) -> None:
    with model([HUNG]) as hung, model([says(RIGHT)]) as other:
        read(hung.url, seconds=0.3)
        assert read(other.url).warnings == []


SAY = """
import sys
from pathlib import Path
from docduck.extraction.extractors.model.asking.circuit_breaker import CircuitBreaker
from docduck.extraction.model_options import ModelOptions
print(CircuitBreaker(ModelOptions(sys.argv[1], "small", slots=Path(sys.argv[2]))).admit().reason)
"""


@pytest.mark.slow
def test_other_processes_know(read: Reader) -> None:
    with model([HUNG]) as endpoint:
        read(endpoint.url, seconds=0.3)
        told = subprocess.run(
            [sys.executable, "-c", SAY, endpoint.url, read.folder / "slots"],
            capture_output=True,
            text=True,
            check=True,
        )
    assert told.stdout.startswith("no answer within")


class Time:
    """The clock of a test."""

    def __init__(self) -> None:
        self.moment = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)

    def __call__(self) -> dt.datetime:
        return self.moment

    def passes(self, seconds: float) -> dt.datetime:
        self.moment += dt.timedelta(seconds=seconds)
        return self.moment


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Iterator[Time]:
    now = Time()
    monkeypatch.setattr(clock, "now", now)
    yield now


@pytest.fixture
def breaker(tmp_path: Path, time: Time) -> CircuitBreaker:
    return CircuitBreaker(ModelOptions("http://127.0.0.1:1/v1", "small", seconds=60, slots=tmp_path))


def test_pauses_grow_to_a_limit_and_begin_small_again(breaker: CircuitBreaker, time: Time) -> None:
    pauses = []
    for _ in range(8):
        assert breaker.admit() is None
        breaker.failed("it hangs", time.moment, at_once=True)
        away = breaker.away
        assert away is not None
        pauses.append((away.until - time.moment).total_seconds())
        time.passes(pauses[-1] + 1)
    assert pauses == [15, 30, 60, 120, 240, 480, 600, 600]
    assert breaker.away is not None and breaker.away.since.hour == 12, "when it began"
    breaker.answered()
    breaker.failed("it hangs", time.passes(1), at_once=True)
    assert breaker.away is not None and breaker.away.until == time.passes(15)


def test_another_request_may_try_if_the_one_that_was_to_could_not(
    breaker: CircuitBreaker, time: Time
) -> None:
    breaker.failed("it hangs", time.moment, at_once=True)
    time.passes(16)
    assert breaker.admit() is None
    assert breaker.admit() is not None
    breaker.passed()
    assert breaker.admit() is None


def test_one_request_tries_while_the_others_stay_away(breaker: CircuitBreaker, time: Time) -> None:
    breaker.failed("it hangs", time.moment, at_once=True)
    assert breaker.admit() is not None
    time.passes(16)
    assert breaker.admit() is None
    assert breaker.admit() is not None
    # The document that tried was stopped before it said how it went.
    time.passes(61)
    assert breaker.admit() is None


def test_a_request_beside_one_that_is_answered_was_only_slow(breaker: CircuitBreaker, time: Time) -> None:
    began = time.moment
    time.passes(30)
    breaker.answered()
    time.passes(30)
    breaker.failed("no answer within 60 s", began, at_once=True)
    assert breaker.away is None


def test_requests_that_fail_together_count_as_one(breaker: CircuitBreaker, time: Time) -> None:
    began = time.moment
    time.passes(60)
    for _ in range(4):
        breaker.failed("no answer within 60 s", began, at_once=True)
    assert breaker.away is not None and breaker.away.until == time.passes(15)


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", json.dumps({"until": "x"}).encode()])
def test_a_state_that_can_not_be_read_is_none(breaker: CircuitBreaker, time: Time, content: bytes) -> None:
    breaker.failed("it hangs", time.moment, at_once=True)
    (path,) = breaker._path.parent.glob("*.json")
    path.write_bytes(content)
    assert breaker.away is None and breaker.admit() is None
    breaker.failed("it hangs", time.passes(1), at_once=True)
    assert breaker.away is not None
