"""Addresses of docduck's processes: whether a port is free, URLs and Unix sockets."""

from __future__ import annotations

import os
import socket
from hashlib import sha256
from pathlib import Path

from docduck.errors import InputError
from docduck.owner import temporary_folder
from docduck.settings import Settings

LONGEST_SOCKET_PATH = 100


def free_port(host: str, port: int, what: str, variable: str) -> int:
    """Return the port for ``what``, a free one for 0; raise InputError if it can't be bound."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            return int(probe.getsockname()[1])
    except OSError as error:
        raise InputError(
            f"Port {port} on {host} can't be used for {what} ({error.strerror}): "
            f"stop the program that uses it, or set {variable} (0 chooses a free port)",
            variable,
        ) from error


def local_address(host: str, port: int) -> str:
    """Return the URL, on this machine, of a server that listens on ``host``."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def pages_url(settings: Settings) -> str:
    """Return the URL of the pages: DOCDUCK_BASE_URL, or the address of this machine."""
    if settings.base_url:
        return settings.base_url.rstrip("/")
    running = settings.home / "run" / "api"
    if settings.api_port == 0 and running.exists():
        return running.read_text().strip()
    return local_address(settings.bind_host, settings.api_port)


def server_folder(home: Path) -> Path:
    """Return the folder of the sockets of Dagster's servers, to which Dagster gives names of this length."""
    return unix_socket(home, "servers/tmp00000000").parent


def unix_socket(home: Path, name: str) -> Path:
    """Return the path of a socket: in the home, or in this user's temporary folder if that is too long."""
    path = home.absolute() / "run" / f"{name}.sock"
    if len(os.fsencode(path)) > LONGEST_SOCKET_PATH:
        digest = sha256(os.fsencode(path)).hexdigest()[:16]
        folder = temporary_folder() / digest
        folder.mkdir(mode=0o700, exist_ok=True)
        path = folder / f"{name}.sock"
    return path
