"""What a client may send before its request is looked at, on bare sockets."""

from __future__ import annotations

import json
import logging
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_network
from typing import Any

import pytest

from tests.conftest import MakeInstallation
from tests.server.middleware.test_slow_clients import connect
from tests.server.served import Api, serving

Open = Callable[..., Any]


@pytest.fixture
def opened(make_installation: MakeInstallation) -> Open:
    @contextmanager
    def open_api(**settings: Any) -> Iterator[Api]:
        with serving(make_installation(**settings)) as api:
            yield api

    return open_api


def everything(connection: socket.socket) -> bytes:
    """What the server sends until it hangs up."""
    found = b""
    try:
        while chunk := connection.recv(65536):
            found += chunk
    except ConnectionResetError:
        pass
    return found


def ask(api: Api, *pieces: bytes) -> bytes:
    with connect(api) as connection:
        for piece in pieces:
            try:
                connection.sendall(piece)
            except OSError:
                break
            time.sleep(0.02)
        return everything(connection)


def message_of(answer: bytes) -> tuple[int, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    told = json.loads(body)
    headers = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    assert told.keys() == {"error", "code", "message", "requestId"} and told["error"] is True
    assert headers[b"connection"] == b"close"
    assert headers[b"content-type"] == b"application/json"
    assert headers[b"x-request-id"].decode() == told["requestId"]
    assert headers[b"x-api-version"] == b"1"
    return int(head.split()[1]), told["message"]


LAST = b"Connection: close\r\n\r\n"
BEGIN = b"GET /healthz HTTP/1.1\r\nHost: a\r\n"


def test_headers_within_the_limit_are_taken(opened: Open) -> None:
    with opened(max_header_bytes=4096) as api:
        answer = ask(api, BEGIN, b"X-A: " + b"a" * 3000, b"\r\n", LAST)
        assert answer.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "pieces",
    [
        [BEGIN + b"X-A: " + b"a" * 5000 + b"\r\n" + LAST],
        [BEGIN, *[b"X-A: b\r\n" * 200] * 4, LAST],
        [BEGIN, b"X-A: ", *[b"a" * 1000] * 50],
        [b"GET /healthz?", *[b"a" * 1000] * 50],
        [b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\n" + LAST],
    ],
    ids=["one header", "many headers", "an endless header", "an endless path", "a long path"],
)
def test_headers_that_are_too_large_are_refused(opened: Open, pieces: list[bytes]) -> None:
    with opened(max_header_bytes=4096) as api:
        assert message_of(ask(api, *pieces)) == (431, "Request headers too large")


@pytest.mark.parametrize(
    "text",
    [b"hello\r\n\r\n", b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/9\r\n\r\n", b"GET \xff HTTP/1.1\r\n\r\n"],
)
def test_what_is_no_http_is_told(shared: Api, text: bytes, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "docduck.access")
    answer = ask(shared, text)
    assert message_of(answer) == (400, "Malformed HTTP request")
    request_id = json.loads(answer.partition(b"\r\n\r\n")[2])["requestId"]
    lines = [json.loads(line.message) for line in caplog.records if line.name == "docduck.access"]
    assert request_id in [line["request"] for line in lines]


@pytest.mark.parametrize("hosts", [b"", b"Host: a\r\nHost: a\r\n"])
def test_a_request_without_one_host_is_refused(shared: Api, hosts: bytes) -> None:
    answer = ask(shared, b"GET /healthz HTTP/1.1\r\n" + hosts + LAST)
    assert message_of(answer) == (400, "A request needs one Host header")


def test_old_clients_need_no_host(shared: Api) -> None:
    assert ask(shared, b"GET /healthz HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("pieces", [[], [b"GET /heal"], [BEGIN], [b"\r\n\r\n"]])
def test_a_client_that_sends_no_whole_request_is_hung_up_on(opened: Open, pieces: list[bytes]) -> None:
    with opened(api_header_seconds=0.3) as api:
        begin = time.monotonic()
        assert ask(api, *pieces) == b""
        assert 0.25 < time.monotonic() - begin < 5


def test_a_drop_now_and_then_gains_no_time(opened: Open) -> None:
    with opened(api_header_seconds=0.5) as api, connect(api) as connection:
        begin = time.monotonic()
        connection.sendall(BEGIN)
        with pytest.raises(OSError):
            while time.monotonic() - begin < 10:
                connection.sendall(b"X-A: b\r\n")
                time.sleep(0.05)
        assert time.monotonic() - begin < 5


def test_a_connection_serves_several_requests_and_ends_when_idle(opened: Open) -> None:
    with opened(api_header_seconds=0.4, api_keep_alive_seconds=1) as api, connect(api) as connection:
        for _ in range(3):
            connection.sendall(BEGIN + b"\r\n")
            assert connection.recv(65536).startswith(b"HTTP/1.1 200")
            time.sleep(0.5)
            # An answer may come in two parts.
            connection.setblocking(False)
            with suppress(BlockingIOError):
                connection.recv(65536)
            connection.settimeout(10)
        begin = time.monotonic()
        assert everything(connection) == b""
        assert time.monotonic() - begin < 5


def test_pipelined_requests_are_answered_one_by_one(shared: Api) -> None:
    answer = ask(shared, (BEGIN + b"\r\n") * 3 + BEGIN + LAST)
    assert answer.count(b"HTTP/1.1 200") == 4


def test_a_slow_body_outlives_the_time_for_headers(opened: Open) -> None:
    with opened(api_header_seconds=0.2) as api:
        head = (
            b"POST /api/v1/parsers HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            b"Authorization: Bearer " + api.key.encode() + b"\r\nContent-Length: 20\r\n"
        )
        with connect(api) as connection:
            connection.sendall(head + LAST)
            for _ in range(10):
                connection.sendall(b"  ")
                time.sleep(0.05)
            assert not everything(connection).startswith(b"HTTP/1.1 408")


def test_one_connection_too_many_is_hung_up_on(opened: Open) -> None:
    with opened(api_max_connections=3) as api:
        held = [connect(api) for _ in range(3)]
        time.sleep(0.1)
        assert ask(api, BEGIN + LAST) == b""
        for connection in held:
            connection.close()
        time.sleep(0.1)
        assert ask(api, BEGIN + LAST).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("proxies", "scheme"), [(None, "http"), ((ip_network("127.0.0.0/8"),), "https")], ids=["nobody", "ours"]
)
def test_a_proxy_is_believed_only_where_it_is_known(opened: Open, proxies: Any, scheme: str) -> None:
    with opened(api_trusted_proxies=proxies) as api:
        parser_id = api.parser()
        answer = api.post(
            f"/process/{parser_id}/files",
            files={"file": ("a.txt", b"Number: 1")},
            headers={"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"},
        )
        assert answer.json()["result"][0]["url"].startswith(f"{scheme}://")
