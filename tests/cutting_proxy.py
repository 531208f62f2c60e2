"""A connection that breaks: a proxy on loopback that closes once the server has sent so many bytes."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass


@dataclass
class CuttingProxy:
    """A proxy at ``port``; it cuts connections after ``most`` bytes of the server."""

    port: int
    most: int | None = None


@contextmanager
def cutting_proxy(server_port: int) -> Iterator[CuttingProxy]:
    """Run a proxy of a server on 127.0.0.1."""
    listener = socket.create_server(("127.0.0.1", 0))
    proxy = CuttingProxy(listener.getsockname()[1])

    def accept() -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                threading.Thread(target=_connect, args=(client, server_port, proxy.most), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(5)


def _connect(client: socket.socket, server_port: int, most: int | None) -> None:
    with client, socket.create_connection(("127.0.0.1", server_port)) as server:
        up = threading.Thread(target=_pump, args=(client, server, None), daemon=True)
        up.start()
        _pump(server, client, most)
        up.join(5)


def _pump(source: socket.socket, target: socket.socket, most: int | None) -> None:
    left = most
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data if left is None else data[:left])
            if left is not None and (left := left - len(data)) <= 0:
                break
    for one in (source, target):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
