"""Clients of the API that cost little themselves: prepared requests over several connections at once."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from urllib.parse import urlsplit

_BOUNDARY = "c0ffee"


def get(address: str, path: str, key: str) -> bytes:
    """A request that reads ``path``."""
    return _head(address, "GET", path, key) + b"\r\n"


def upload(address: str, path: str, key: str, name: str, content: bytes) -> bytes:
    """A request that uploads one file."""
    before, after = form(name)
    body = before + content + after
    return upload_head(address, path, key, len(body)) + body


def form(name: str) -> tuple[bytes, bytes]:
    """What stands before and after the content of the only file of a form."""
    disposition = f'Content-Disposition: form-data; name="file"; filename="{name}"'
    before = f"--{_BOUNDARY}\r\n{disposition}\r\nContent-Type: application/pdf\r\n\r\n"
    return before.encode(), f"\r\n--{_BOUNDARY}--\r\n".encode()


def upload_head(address: str, path: str, key: str, size: int) -> bytes:
    """The head of an upload whose form has ``size`` bytes."""
    kind = f"Content-Type: multipart/form-data; boundary={_BOUNDARY}\r\nContent-Length: {size}\r\n\r\n"
    return _head(address, "POST", path, key) + kind.encode()


def send_all(address: str, requests: Iterator[bytes], connections: int) -> float:
    """Send all requests over so many connections, each after the last one's answer; gives the seconds.

    Raises RuntimeError for an answer that is not 200.
    """
    lock, failures = threading.Lock(), list[Exception]()

    def next_request() -> bytes | None:
        with lock:
            return next(requests, None)

    def work() -> None:
        try:
            with closing(connect(address)) as connection:
                while (request := next_request()) is not None and not failures:
                    connection.sendall(request)
                    receive(connection)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(connections)]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise RuntimeError(f"A request failed: {failures[0]}")
    return time.perf_counter() - begin


def connect(address: str) -> socket.socket:
    """A connection to the API."""
    parts = urlsplit(address)
    connection = socket.create_connection((str(parts.hostname), int(parts.port or 80)), timeout=60)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def receive(connection: socket.socket) -> bytes:
    """The body of one answer; raises RuntimeError unless it is a 200 with its length."""
    found = b""
    while b"\r\n\r\n" not in found:
        found += _more(connection.recv)
    head, _, body = found.partition(b"\r\n\r\n")
    if b" 200 " not in head.splitlines()[0]:
        raise RuntimeError(found.decode(errors="replace"))
    lines = dict(line.lower().split(b": ", 1) for line in head.splitlines()[1:])
    size = int(lines[b"content-length"])
    while len(body) < size:
        body += _more(connection.recv)
    return body


def _more(read: Callable[[int], bytes]) -> bytes:
    data = read(65536)
    if not data:
        raise RuntimeError("the API hung up")
    return data


def _head(address: str, method: str, path: str, key: str) -> bytes:
    host = urlsplit(address).netloc
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n".encode()
