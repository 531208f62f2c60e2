"""Web servers on loopback for the tests of outbound connections, and a canary nothing may connect to."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network

from docduck.outbound.addresses import Address
from docduck.outbound.policy import OutboundPolicy

SITE = "127.0.0.2"
ONLY_THE_SITE = OutboundPolicy(allowed_networks=(ip_network(f"{SITE}/32"),))

Answer = bytes | Callable[[socket.socket], None]


def ok(body: bytes, *headers: str) -> bytes:
    """A response of status 200."""
    return reply("200 OK", *headers, body=body)


def reply(status: str, *headers: str, body: bytes = b"") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def redirect(*locations: str, status: str = "302 Found") -> bytes:
    return reply(status, *(f"Location: {location}" for location in locations))


@dataclass
class Site:
    """A server at 127.0.0.2: what it says to each path, and the heads of the requests it had."""

    port: int
    pages: dict[str, Answer] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    server_names: list[str | None] = field(default_factory=list)

    def url(self, path: str, host: str = SITE, scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"


@dataclass
class Canary:
    """Counts the connections to 127.0.0.1 and ::1 at one port."""

    port: int
    connections: int = 0


@contextmanager
def running(tls: ssl.SSLContext | None = None) -> Iterator[tuple[Site, Canary]]:
    """A site, and the canary at the same port of the other loopback addresses."""
    main, *birds = _listeners()
    port = main.getsockname()[1]
    site, canary = Site(port), Canary(port)
    if tls is not None:
        tls.sni_callback = lambda _, name, __: site.server_names.append(name)

    def serve(connection: socket.socket) -> None:
        # Closed here also if the TLS handshake fails.
        with suppress(OSError), connection:
            stream = connection if tls is None else tls.wrap_socket(connection, server_side=True)
            with stream:
                head = b""
                while b"\r\n\r\n" not in head:
                    if not (more := stream.recv(65536)):
                        return
                    head += more
                    if head.startswith(b"\x16\x03"):  # a greeting of TLS
                        return
                text = head.decode("latin-1")
                site.requests.append(text)
                answer = site.pages.get(text.split(" ")[1], reply("404 Not Found"))
                if callable(answer):
                    answer(stream)
                else:
                    stream.sendall(answer)

    def count(connection: socket.socket) -> None:
        canary.connections += 1
        connection.close()

    listeners = [(main, serve), *((bird, count) for bird in birds)]
    threads = [threading.Thread(target=_accept, args=pair, daemon=True) for pair in listeners]
    for thread in threads:
        thread.start()
    try:
        yield site, canary
    finally:
        for listener, _ in listeners:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for thread in threads:
            thread.join(5)


class Resolving:
    """A resolver of the test's own; it keeps what it was asked. A name it doesn't know is not found."""

    def __init__(self, known: dict[str, list[str]], default: list[str] | None = None) -> None:
        self.known, self.default = known, default
        self.asked: list[str] = []

    async def __call__(self, name: str, port: int) -> list[Address]:
        self.asked.append(name)
        found = self.known.get(name, self.default)
        if found is None:
            raise socket.gaierror(socket.EAI_NONAME, "not known")
        return [ip_address(one) for one in found]


def _listeners() -> list[socket.socket]:
    """Listen at the three addresses, at one port that no other process uses at any of them."""
    while True:
        with ExitStack() as stack:
            main = stack.enter_context(_listening(socket.AF_INET, SITE, 0))
            port = main.getsockname()[1]
            with suppress(OSError):
                ipv4 = stack.enter_context(_listening(socket.AF_INET, "127.0.0.1", port))
                ipv6 = stack.enter_context(_listening(socket.AF_INET6, "::1", port))
                stack.pop_all()
                return [main, ipv4, ipv6]


def _listening(family: int, host: str, port: int) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(64)
    except OSError:
        listener.close()
        raise
    return listener


def _accept(listener: socket.socket, handle: Callable[[socket.socket], None]) -> None:
    with suppress(OSError):
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=handle, args=(connection,), daemon=True).start()
