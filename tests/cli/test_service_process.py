"""Whether the API's process is well, seen from its supervisor."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from docduck.cli import service_process
from docduck.cli.service_process import ServiceHealth, is_ready


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


def test_one_that_answers_is_well_even_when_it_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_process, "_FIRST_ANSWER_SECONDS", 0.0)
    with answering(503) as address:
        assert ServiceHealth(address)(1)


def test_one_that_is_silent_for_long_is_not_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_process, "_ASK_SECONDS", 0.05)
    monkeypatch.setattr(service_process, "_FIRST_ANSWER_SECONDS", 0.3)
    monkeypatch.setattr(service_process, "_LONGEST_SILENCE_SECONDS", 0.0)
    with answering(200, seconds=0.5) as address:
        health = ServiceHealth(address)
        assert health(1), "it may take a while to start"
        time.sleep(0.3)
        assert not health(1)
        assert health(2), "another process has its time, too"
