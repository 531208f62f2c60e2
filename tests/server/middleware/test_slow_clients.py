"""Clients that dribble, smuggle or go away, on bare sockets."""

from __future__ import annotations

import logging
import socket
import time

import pytest

from tests.api.request.hostile import nothing_changes
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving
from tests.waiting import wait_for

_PART = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n' + b"y" * 700_000
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"


def connect(api: Api) -> socket.socket:
    host, port = api.address.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=10)


def head(api: Api, path: str, *lines: str, key: bool = True) -> bytes:
    authorization = [f"Authorization: Bearer {api.key}"] if key else []
    return "\r\n".join([f"POST {path} HTTP/1.1", "Host: a", *authorization, *lines, "", ""]).encode()


def dribble(connection: socket.socket, seconds: float) -> float:
    """How long the server takes drops before it hangs up, at most ``seconds``."""
    begin = time.monotonic()
    connection.settimeout(0.05)
    while (spent := time.monotonic() - begin) < seconds:
        try:
            connection.sendall(b" ")
            while connection.recv(65536):
                pass
            return spent
        except TimeoutError:
            time.sleep(0.1)
        except OSError:
            return spent
    return seconds


@pytest.mark.parametrize(
    ("path", "kind", "key"),
    [
        ("/api/v1/parsers", "application/json", True),
        ("/api/v1/process/files", "multipart/form-data; boundary=b", True),
        ("/api/v1/parsers", "application/json", False),
        ("/healthz", "text/plain", False),
    ],
    ids=["json", "upload", "no key", "probe"],
)
def test_a_body_that_dribbles_holds_no_connection(
    make_installation: MakeInstallation, path: str, kind: str, key: bool
) -> None:
    settings = {"api_body_seconds": 1, "api_header_seconds": 1, "api_keep_alive_seconds": 1}
    with serving(make_installation(**settings)) as api, connect(api) as connection, nothing_changes(api):
        connection.sendall(head(api, path, f"Content-Type: {kind}", "Content-Length: 1000000", key=key))
        assert dribble(connection, 10) < 6


def test_an_upload_that_stops_is_told_and_leaves_nothing(make_installation: MakeInstallation) -> None:
    with serving(make_installation(api_body_seconds=0.3)) as api, connect(api) as connection:
        path = f"/api/v1/process/{api.parser()}/files"
        kind = "Content-Type: multipart/form-data; boundary=b"
        with nothing_changes(api):
            connection.sendall(head(api, path, kind, "Content-Length: 100000") + _PART[:10_000])
            assert connection.recv(4096).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize(
    ("lines", "body"),
    [
        (["Content-Length: 6", "Transfer-Encoding: chunked"], b"0\r\n\r\n"),
        (["Transfer-Encoding: chunked", "Content-Length: 6"], b"0\r\n\r\n"),
        (["Content-Length: 2", "Content-Length: 5"], b"{}"),
        (["Content-Length: 2, 2"], b"{}"),
        (["Content-Length: -1"], b""),
        (["Content-Length: +2"], b"{}"),
        (["Content-Length: 99999999999999999999999"], b"{}"),
        (["Transfer-Encoding: xchunked"], b"0\r\n\r\n"),
        (["Transfer-Encoding: identity", "Content-Length: 2"], b"{}"),
        (["Transfer-Encoding : chunked"], b"0\r\n\r\n"),
        (["Transfer-Encoding: chunked, gzip"], b"0\r\n\r\n"),
        (["Transfer-Encoding: chunked"], b"fffffffffffffffff\r\n{}\r\n"),
        (["X-A: a", " folded", "Content-Length: 2"], b"{}"),
    ],
    ids=range(13),
)
def test_a_body_of_doubtful_length_ends_the_connection(shared: Api, lines: list[str], body: bytes) -> None:
    with nothing_changes(shared), connect(shared) as connection:
        connection.sendall(head(shared, "/api/v1/parsers", "Content-Type: application/json", *lines))
        connection.sendall(body + HEALTH)
        answer = b""
        try:
            while chunk := connection.recv(65536):
                answer += chunk
        except ConnectionResetError:
            pass
    assert answer.startswith(b"HTTP/1.1 400") and answer.count(b"HTTP/1.1 ") == 1


def test_a_body_is_asked_for_only_when_it_may_come(shared: Api) -> None:
    asking = ("Content-Type: application/json", "Expect: 100-continue", "Connection: close")
    for key, length, status in ((False, 12, b"401"), (True, 120_000_000, b"413")):
        with connect(shared) as connection:
            connection.sendall(head(shared, "/api/v1/parsers", *asking, f"Content-Length: {length}", key=key))
            assert connection.recv(65536).startswith(b"HTTP/1.1 " + status)
    with connect(shared) as connection:
        connection.sendall(head(shared, "/api/v1/parsers", *asking, "Content-Length: 12"))
        assert connection.recv(65536).startswith(b"HTTP/1.1 100 ")
        connection.sendall(b'{"name":"ex"}'[:12])
        assert connection.recv(65536).startswith(b"HTTP/1.1 400 ")


def test_a_client_that_goes_away_leaves_nothing(shared: Api, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "docduck.access")
    p = shared.parser()
    kind = "Content-Type: multipart/form-data; boundary=b"
    with nothing_changes(shared):
        for _ in range(3):
            with connect(shared) as connection:
                connection.sendall(
                    head(shared, f"/api/v1/process/{p}/files", kind, "Content-Length: 9000000")
                )
                connection.sendall(_PART)
        wait_for(lambda: caplog.text.count(f"/process/{p}/files") == 3, 10)
    assert shared.get("/parsers").status_code == 200
