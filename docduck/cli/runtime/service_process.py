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
"""The name of the socket on which the API says that it is at work."""

_ASK_SECONDS = 2.0
_FIRST_ANSWER_SECONDS = 30.0
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
    """Whether the API there takes requests."""
    return _status(f"{address}/readyz") == 200


@dataclass
class ServiceHealth:
    """Says whether the API's process is at work, asked on a Unix socket that no client reaches.

    One that is busy with requests, or without its catalog, answers there: to start it again would not help.
    """

    probe: Path
    _pid: int = field(default=0, init=False)
    _deadline: float = field(default=0.0, init=False)

    def __call__(self, pid: int) -> bool:
        now = time.monotonic()
        if pid != self._pid:
            self._pid, self._deadline = pid, now + _FIRST_ANSWER_SECONDS
        if self._answers():
            self._deadline = time.monotonic() + _LONGEST_SILENCE_SECONDS
        return time.monotonic() < self._deadline

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_ASK_SECONDS)
            try:
                connection.connect(str(self.probe))
                return connection.recv(1) != b""
            except OSError:
                return False


def _status(url: str) -> int | None:
    """The status of an answer, None without one."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=_ASK_SECONDS) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    except (OSError, ValueError):
        return None
