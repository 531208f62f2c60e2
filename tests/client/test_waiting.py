"""Waiting until a document is done."""

from __future__ import annotations

import pytest

from docduck import client
from tests.client.conftest import Caller, Reply, Server

PARSER = "0190b3c2-7c3e-7000-8000-000000000001"
ONE = "0190b3c2-7c3e-7000-8000-000000000002"


def data(status: str) -> Reply:
    return Reply(
        200,
        {"data": {"Total": 1} if status == "processed" else {}, "metadata": {"name": "a", "status": status}},
    )


@pytest.mark.parametrize("last", ["processed", "failed", "in_review", "skipped", "approved", "rejected"])
def test_waiting_ends_when_nothing_more_is_to_be_done(
    call: Caller, server: Server, pauses: list[float], last: str
) -> None:
    server.answer(*[data("processing")] * 12, data(last))
    found = call(lambda api: api.wait(PARSER, ONE))
    assert found["metadata"]["status"] == last
    assert len(pauses) == 12
    assert pauses == sorted(pauses) and pauses[0] <= 0.5 and pauses[-1] == 5
    assert {one.path for one in server.seen} == {f"/api/v1/process/{PARSER}/files/data"}


def test_waiting_has_an_end(call: Caller, server: Server) -> None:
    server.answer(data("processing"))
    with pytest.raises(client.StillProcessing, match=r"a is still processing after 0\.3 seconds") as caught:
        call(lambda api: api.process.wait(PARSER, external_id="x", timeout=0.3))
    assert caught.value.retryable
    assert len(server.seen) >= 2
