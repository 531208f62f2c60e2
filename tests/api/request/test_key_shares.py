"""One client, one key, or many large requests leave room for the others."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from docduck.api.request.strict_json import parse_json
from docduck.server.app import create_app
from docduck.server.http_server import create_server
from tests.conftest import MakeInstallation
from tests.server.middleware.test_slow_clients import HEALTH, connect, head
from tests.server.served import Api, serving


def answers(connection: socket.socket) -> bytes:
    connection.sendall(HEALTH)
    return connection.recv(65536)


def test_one_address_has_its_share_of_connections(make_installation: MakeInstallation) -> None:
    with serving(make_installation(api_max_connections_per_client=5)) as api, ExitStack() as stack:
        held = [stack.enter_context(connect(api)) for _ in range(5)]
        assert answers(held[0]).startswith(b"HTTP/1.1 200 ")
        with connect(api) as refused:
            told = refused.recv(65536)
        assert told.startswith(b"HTTP/1.1 503 ")
        assert (
            json.loads(told.partition(b"\r\n\r\n")[2])["message"] == "Too many connections from this address"
        )
        assert b"\r\nretry-after: " in told.lower()
        held[1].close()
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            with connect(api) as again:
                if answers(again).startswith(b"HTTP/1.1 200 "):
                    return
        pytest.fail("a connection that was closed made no room")


def test_a_trusted_proxy_has_as_many_connections_as_it_needs(make_installation: MakeInstallation) -> None:
    inst = make_installation(api_max_connections_per_client=1, api_trusted_proxies="127.0.0.0/8")
    with serving(inst) as api, ExitStack() as stack:
        for connection in [stack.enter_context(connect(api)) for _ in range(5)]:
            assert answers(connection).startswith(b"HTTP/1.1 200 ")


def test_one_key_has_its_share_of_requests(make_installation: MakeInstallation) -> None:
    with serving(make_installation(api_max_requests_per_key=2)) as api, ExitStack() as stack:
        lines = ("Content-Type: application/json", "Content-Length: 99", "Expect: 100-continue")
        for _ in range(2):
            connection = stack.enter_context(connect(api))
            connection.sendall(head(api, "/api/v1/parsers", *lines))
            assert connection.recv(100).startswith(b"HTTP/1.1 100 "), "its body is being waited for"
        refused = wait_for_status(api, 429)
        assert refused.json()["message"] == "At most 2 requests at once are answered for one API key"
        assert refused.headers["Retry-After"]
        with api.using(api.key_with()) as other:
            assert other.get("/parsers").status_code == 200
        stack.close()
        wait_for_status(api, 200)


def wait_for_status(api: Api, status: int) -> httpx.Response:
    deadline = time.monotonic() + 10
    while (found := api.get("/parsers")).status_code != status:
        assert time.monotonic() < deadline, found.text
        time.sleep(0.5)
    return found


@contextmanager
def busy_with_large_requests(api: Api, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[httpx.Response]]:
    """While the block runs, as many large requests as may work are parsed, and one more waits."""
    real, go, begun = parse_json, threading.Event(), threading.Semaphore(0)

    def parse(*arguments: object) -> object:
        begun.release()
        assert go.wait(60)
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("docduck.api.request.body.parse_json", parse)
    found: list[httpx.Response] = []
    large = {"name": "x" * 100_000}

    def ask() -> None:
        with api.using(api.key) as client:
            found.append(client.post("/parsers", json=large))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert begun.acquire(timeout=30)
    monkeypatch.setattr("docduck.api.request.body.parse_json", real)
    try:
        yield found
    finally:
        go.set()
        for thread in threads:
            thread.join()


def test_large_requests_wait_for_their_turn_and_hold_nobody_up(
    make_installation: MakeInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(api_large_requests=1, api_large_request_seconds=30, api_threads=2)
    with serving(inst) as api:
        with busy_with_large_requests(api, monkeypatch) as found:
            assert api.get("/parsers").status_code == 200
            assert api.post("/parsers", json={"name": "Small"}).status_code == 201
            assert found == []
        assert [one.status_code for one in found] == [400, 400]


def test_a_large_request_whose_turn_does_not_come_is_told_to_come_again(
    make_installation: MakeInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(api_large_requests=1, api_large_request_seconds=0.3)
    with serving(inst) as api:
        with busy_with_large_requests(api, monkeypatch) as found:
            deadline = time.monotonic() + 10
            while not found and time.monotonic() < deadline:
                time.sleep(0.05)
            assert [one.status_code for one in found] == [429]
            assert found[0].json()["message"].startswith("Only 1 of your team's large requests")
            assert found[0].headers["Retry-After"]
        assert sorted(one.status_code for one in found) == [400, 429]


def test_the_probe_answers_whatever_clients_do(make_installation: MakeInstallation, tmp_path: Path) -> None:
    inst = make_installation(api_port=0, api_max_connections=1)
    path = tmp_path / "probe.sock"
    server = create_server(create_app(inst), inst.settings, path)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        deadline = time.monotonic() + 20
        while not path.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        address = server.servers[0].sockets[0].getsockname()
        with ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(socket.create_connection(address[:2], timeout=5))
            for _ in range(3):
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.settimeout(5)
                    connection.connect(str(path))
                    assert connection.recv(8) == b"1"
    finally:
        server.should_exit = True
        thread.join()
