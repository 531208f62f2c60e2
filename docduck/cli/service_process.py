"""The API as a process of ``docduck up``."""

from __future__ import annotations

import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field

from docduck.cli.dagster_processes import child_environment
from docduck.cli.supervisor import Process
from docduck.settings import Settings

_ASK_SECONDS = 2.0
_FIRST_ANSWER_SECONDS = 30.0
_LONGEST_SILENCE_SECONDS = 10.0


def service_process(settings: Settings, address: str) -> Process:
    """``docduck serve``, which is to answer at ``address``."""
    return Process(
        "service",
        [sys.executable, "-c", "from docduck.cli.main import main; main()", "serve"],
        child_environment(settings),
        healthy=ServiceHealth(address),
    )


def is_ready(address: str) -> bool:
    """Whether the API there takes requests."""
    return _status(f"{address}/readyz") == 200


@dataclass
class ServiceHealth:
    """Says whether the API answers: an answer that it is not ready is one, silence for long is none.

    A catalog that is away makes it unready, which starting it again would not mend.
    """

    address: str
    _pid: int = field(default=0, init=False)
    _deadline: float = field(default=0.0, init=False)

    def __call__(self, pid: int) -> bool:
        now = time.monotonic()
        if pid != self._pid:
            self._pid, self._deadline = pid, now + _FIRST_ANSWER_SECONDS
        if _status(f"{self.address}/readyz") is not None:
            self._deadline = time.monotonic() + _LONGEST_SILENCE_SECONDS
        return time.monotonic() < self._deadline


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
