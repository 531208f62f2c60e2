"""Where the API and the UI listen, and where they are reached from this machine."""

from __future__ import annotations

import socket

from docduck.errors import InputError


def free_port(host: str, port: int, what: str, variable: str) -> int:
    """The port that ``what`` will use, a free one for 0; raises InputError when it can't be bound."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            return int(probe.getsockname()[1])
    except OSError as error:
        raise InputError(
            f"Port {port} on {host} can't be used for {what} ({error.strerror}): "
            f"stop what listens there, or set {variable} (0 chooses a free port)",
            variable,
        ) from error


def local_address(host: str, port: int) -> str:
    """Address at which a program on this machine finds what listens on ``host``."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
