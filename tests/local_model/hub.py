"""A hub of models: an HTTP server with one file, and the ways in which downloads fail."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Hub:
    """The running hub; ``breaks`` are the bytes after which one response each breaks off."""

    address: str
    content: bytes
    takes_ranges: bool = True
    status: int = 200
    range_status: int = 206
    breaks: list[int] = field(default_factory=list)
    ranges: list[str | None] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


@contextmanager
def hub(content: bytes) -> Iterator[Hub]:
    """A hub that sends ``content`` whatever it is asked for, by way of a redirect as the real one."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != "/blob":
                running.paths.append(self.path)
                self.send_response(302)
                self.send_header("Location", f"{running.address}/blob")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            asked = self.headers["Range"]
            running.ranges.append(asked)
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and running.takes_ranges else 0
            body = running.content[start:]
            status = running.range_status if start else running.status
            self.send_response(status)
            if status not in (200, 206):
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            end = running.breaks.pop(0) if running.breaks else len(body)
            with suppress(OSError):
                self.wfile.write(body[:end])
            if end < len(body):
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    running = Hub(f"http://127.0.0.1:{server.server_address[1]}", content)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
