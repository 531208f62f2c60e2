"""The API as a process of ``docduck up``."""

from __future__ import annotations

import socket
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

from docduck.cli.runtime.addresses import unix_socket
from docduck.cli.runtime.dagster_processes import child_environment
from docduck.cli.runtime.supervisor import Process
from docduck.settings import Settings

PROBE = "service"
"""The name of the socket that shows that the API is running."""

_TIMEOUT_SECONDS = 2.0
_FIRST_RESPONSE_SECONDS = 30.0
_LONGEST_SILENCE_SECONDS = 10.0


def service_process(settings: Settings) -> Process:
    """Return ``docduck serve``."""
    return Process(
        "service",
        [sys.executable, "-c", "from docduck.cli.main import main; main()", "serve"],
        child_environment(settings),
        healthy=ServiceHealth(unix_socket(settings.home, PROBE)),
    )


def is_ready(address: str) -> bool:
    """Return whether the API at ``address`` accepts requests."""
    return _status(f"{address}/readyz") == 200


@dataclass
class ServiceHealth:
    """Checks that the API's process is running, by a Unix socket that clients don't reach.

    A process that is busy or without its catalog responds there: restarting it would not help.
    """

    probe: Path
    _pid: int = field(default=0, init=False)
    _deadline: float = field(default=0.0, init=False)

    def __call__(self, pid: int) -> bool:
        now = time.monotonic()
        if pid != self._pid:
            self._pid, self._deadline = pid, now + _FIRST_RESPONSE_SECONDS
        if self._responds():
            self._deadline = time.monotonic() + _LONGEST_SILENCE_SECONDS
        return time.monotonic() < self._deadline

    def _responds(self) -> bool:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_TIMEOUT_SECONDS)
            try:
                connection.connect(str(self.probe))
                return connection.recv(1) != b""
            except OSError:
                return False


def _status(url: str) -> int | None:
    """Return the status of a response; None without one."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=_TIMEOUT_SECONDS) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    except (OSError, ValueError):
        return None
