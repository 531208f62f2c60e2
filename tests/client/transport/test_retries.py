from __future__ import annotations

import datetime as dt
import email.utils
import io
import threading
from pathlib import Path
from typing import IO, cast

import pytest

from docduck.client import Conflict, ConnectionFailed, RateLimited, ServerError
from tests.client.conftest import Caller, Reply, Seen, Server

DOCUMENT = {"result": [{"id": "d"}]}
LIMITED = Reply(429, {"error": True, "message": "Rate limit exceeded"}, {"Retry-After": "7"})
AWAY = Reply(503, {"error": True, "message": "The catalog is away"})


@pytest.mark.parametrize("first", [LIMITED, AWAY, Reply(502, b"<html>Bad gateway"), Reply(hang_up=True)])
def test_what_passes_is_tried_again(call: Caller, server: Server, pauses: list[float], first: Reply) -> None:
    server.answer(first, first, Reply(200, {"id": "p"}))
    assert call(lambda api: api.parsers.get("p")) == {"id": "p"}
    assert len(server.seen) == 3
    assert len(pauses) == 2


def test_the_server_says_how_long_to_pause(call: Caller, server: Server, pauses: list[float]) -> None:
    date = email.utils.format_datetime(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=20), usegmt=True)
    by_date = Reply(503, {}, {"Retry-After": date})
    nonsense = Reply(503, {}, {"Retry-After": "soon"})
    server.answer(LIMITED, by_date, nonsense, Reply(200, {"id": "p"}))
    call(lambda api: api.parsers.get("p"))
    assert 7 <= pauses[0] <= 8
    assert 17 <= pauses[1] <= 23
    assert 0 < pauses[2] <= 2


def test_pauses_grow_and_are_never_the_same(call: Caller, server: Server, pauses: list[float]) -> None:
    server.answer(AWAY)
    with pytest.raises(ServerError, match="The catalog is away") as caught:
        call(lambda api: api.parsers.get("p"), retries=9, retry_seconds=1000)
    assert caught.value.retryable
    assert len(server.seen) == 10
    for index, pause in enumerate(pauses):
        most = min(20, 0.5 * 2**index)
        assert most / 2 <= pause <= most
    assert len(set(pauses)) == 9


def test_no_try_begins_too_late(call: Caller, server: Server, pauses: list[float]) -> None:
    server.answer(Reply(429, {"message": "Rate limit exceeded"}, {"Retry-After": "3000"}))
    with pytest.raises(RateLimited) as caught:
        call(lambda api: api.parsers.get("p"))
    assert caught.value.retry_after == 3000
    assert (len(server.seen), pauses) == (1, [])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 500, 504])
def test_what_does_not_pass_is_not_tried_again(call: Caller, server: Server, status: int) -> None:
    server.answer(Reply(status, {"message": "no"}))
    with pytest.raises(Exception, match="no"):
        call(lambda api: api.parsers.get("p"))
    assert len(server.seen) == 1


def test_a_server_that_is_not_there_is_told(call: Caller, server: Server, pauses: list[float]) -> None:
    with pytest.raises(ConnectionFailed, match=r"http://127\.0\.0\.1:1 can't be reached") as caught:
        call(lambda api: api.parsers.get("p"), base_url="http://127.0.0.1:1", retries=2)
    assert (caught.value.status, caught.value.retryable, len(pauses)) == (None, True, 2)


def test_a_server_that_does_not_answer_is_told(call: Caller, server: Server) -> None:
    gate = threading.Event()

    def slow(seen: Seen) -> Reply:
        gate.wait(10)
        return Reply()

    server.answer(slow)
    with pytest.raises(ConnectionFailed, match="does not answer: ReadTimeout"):
        call(lambda api: api.parsers.get("p"), timeout=0.1, retries=0)
    gate.set()


def test_a_repeated_upload_is_the_same_to_the_server(
    call: Caller, server: Server, pauses: list[float], tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"content " * 1000)
    stream = io.BytesIO(b"streamed")
    server.answer(Reply(hang_up=True), AWAY, Reply(200, DOCUMENT))
    call(lambda api: api.process.files("p", path, ("b.txt", b"bytes"), ("c.txt", stream)))
    keys = {one.headers["idempotency-key"] for one in server.seen}
    assert (len(server.seen), len(keys)) == (3, 1)
    for one in server.seen:
        assert b"content " * 1000 in one.body
        assert b"bytes" in one.body and b"streamed" in one.body
    call(lambda api: api.process.files("p", path))
    assert server.seen[-1].headers["idempotency-key"] not in keys
    call(lambda api: api.process.files("p", path, idempotency_key="mine"))
    assert server.seen[-1].headers["idempotency-key"] == "mine"


def test_the_first_try_that_is_still_under_way_is_waited_for(
    call: Caller, server: Server, pauses: list[float]
) -> None:
    busy = Reply(409, {"message": "A request with this Idempotency-Key is still in progress"})
    server.answer(Reply(hang_up=True), busy, Reply(200, DOCUMENT))
    assert call(lambda api: api.process.files("p", ("a.txt", b"x"))) == [{"id": "d"}]
    server.answer(busy)
    with pytest.raises(Conflict):
        call(lambda api: api.process.files("p", ("a.txt", b"x"), idempotency_key="other's"))
    assert len(server.seen) == 1


class Pipe(io.RawIOBase):
    """A stream that can be read once."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = cast(memoryview, buffer)
        count = min(len(view), len(self._content))
        view[:count], self._content = self._content[:count], self._content[count:]
        return count


def test_a_stream_that_can_t_be_read_again_is_sent_once(call: Caller, server: Server) -> None:
    server.answer(Reply(200, DOCUMENT))
    call(lambda api: api.process.files("p", ("a.txt", cast(IO[bytes], Pipe(b"once only")))))
    assert b"once only" in server.seen[0].body
    server.answer(AWAY)
    with pytest.raises(ServerError):
        call(lambda api: api.process.files("p", ("a.txt", cast(IO[bytes], Pipe(b"once only")))))
    assert len(server.seen) == 1
