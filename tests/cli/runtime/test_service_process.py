"""Whether the API's process is well, seen from its supervisor."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from docduck.cli.runtime import service_process
from docduck.cli.runtime.service_process import ServiceHealth, is_ready


@contextmanager
def answering(status: int, seconds: float = 0.0) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            time.sleep(seconds)
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def test_it_is_ready_when_it_says_so() -> None:
    with answering(200) as address:
        assert is_ready(address)
    with answering(503) as address:
        assert not is_ready(address)
    assert not is_ready(address)


@contextmanager
def probed(folder: Path, answers: bool) -> Iterator[Path]:
    """A process that says that it is at work, or one whose loop hangs: its kernel takes connections."""
    path = folder / "probe.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        if not answers:
            yield path
            return

        def serve() -> None:
            with suppress(OSError):
                while True:
                    with listener.accept()[0] as connection:
                        connection.sendall(b"1")

        threading.Thread(target=serve, daemon=True).start()
        yield path
        listener.shutdown(socket.SHUT_RDWR)


def test_one_that_answers_is_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(service_process, "_FIRST_RESPONSE_SECONDS", 0.0)
    with probed(tmp_path, answers=True) as path:
        assert ServiceHealth(path)(1)
    assert not ServiceHealth(path)(1)


def test_one_that_is_silent_for_long_is_not_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(service_process, "_TIMEOUT_SECONDS", 0.05)
    monkeypatch.setattr(service_process, "_FIRST_RESPONSE_SECONDS", 0.3)
    with probed(tmp_path, answers=False) as path:
        health = ServiceHealth(path)
        assert health(1), "it may take a while to start"
        time.sleep(0.3)
        assert not health(1)
        assert health(2), "another process has its time, too"
