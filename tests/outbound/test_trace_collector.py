"""Sending spans: a collector that is away, slow or full costs nothing, and what is dropped is counted."""

from __future__ import annotations

import logging
import re
import socket
import time

import pytest

from docduck import clock
from docduck.ids import new_id
from docduck.outbound.trace_collector import DocumentSpan, TraceCollector
from tests.constants import SetConstants
from tests.service.webhooks.receiver import Receiver
from tests.waiting import wait_for


@pytest.fixture(autouse=True)
def quick(set_constants: SetConstants) -> None:
    set_constants(
        trace_send_seconds=0.01, trace_away_seconds=0.02, trace_end_seconds=0.3, trace_most_spans=50
    )


def span() -> DocumentSpan:
    return DocumentSpan("read", new_id(), clock.now(), clock.now(), {})


def fill(collector: TraceCollector, count: int) -> float:
    """Add spans; return how long that took."""
    began = time.monotonic()
    for _ in range(count):
        collector.add(span())
    return time.monotonic() - began


def warnings(caplog: pytest.LogCaptureFixture, of: str = "") -> list[str]:
    """Return the warnings that name ``of``; collectors of other tests may still end."""
    said = [one.getMessage() for one in caplog.records if one.levelno == logging.WARNING]
    return [one for one in said if of in one]


def test_a_collector_that_is_away_costs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        # Connections are never accepted, so nothing answers.
        collector = TraceCollector(f"http://127.0.0.1:{nobody.getsockname()[1]}", {})
        assert fill(collector, 500) < 1
        began = time.monotonic()
        collector.close()
        assert time.monotonic() - began < 2
        # Here, while the request waits: it fails, with a warning of its own, once the socket is closed.
        assert collector.dropped >= 400
        lost = collector.dropped + len(collector._spans)
        assert warnings(caplog) == [f"traces: {lost} spans were dropped"]


def test_one_warning_says_that_it_is_away(caplog: pytest.LogCaptureFixture, receiver: Receiver) -> None:
    caplog.set_level(logging.INFO)
    receiver.answer = lambda _: (503, {})
    collector = TraceCollector(receiver.url(""), {})
    fill(collector, 1)
    receiver.wait(3)
    fill(collector, 60)
    (warning,) = warnings(caplog, receiver.url(""))
    assert "the collector answered 503" in warning
    receiver.answer = lambda _: (200, {})
    wait_for(lambda: not collector._spans, 5)
    wait_for(lambda: "spans are sent again" in caplog.text, 5)
    # One of them may have been on its way.
    assert re.search("sent again; 1[01] were dropped", caplog.text)
    collector.close()
    assert len(warnings(caplog, receiver.url(""))) == 1


def test_spans_that_are_refused_are_not_sent_again(
    caplog: pytest.LogCaptureFixture, receiver: Receiver
) -> None:
    receiver.answer = lambda _: (401, {})
    collector = TraceCollector(receiver.url(""), {})
    fill(collector, 3)
    wait_for(lambda: collector.dropped == 3, 5)
    collector.close()
    assert len(receiver.received) == 1
    assert "the collector answered 401" in caplog.text and "3 spans were dropped" in caplog.text
