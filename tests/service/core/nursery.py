"""Processes that end in the middle of their work: a nursery has everything imported and forks them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

from docduck.service.core.installation import Installation

_PROJECT = Path(__file__).parents[3]
_BEFORE = """
import json, os, signal, sys, time
from docduck.service.core.installation import open_installation
from docduck.settings import Settings
from tests.constants import Constants, split

def dies_at(owner, name, count=1, before=False):
    real, done = getattr(owner, name), []
    def wrapped(*args, **kwargs):
        if before and len(done) == count - 1:
            os._exit(9)
        result = real(*args, **kwargs)
        done.append(1)
        if len(done) == count:
            os._exit(9)
        return result
    setattr(owner, name, wrapped)
"""
_AFTER = """
def child(order):
    try:
        if order["point"]:
            POINTS[order["point"]](order["count"])
        settings, constants = split(order["settings"])
        Constants().set(constants)
        os._exit(work(open_installation(Settings(**settings)), order))
    except BaseException as error:
        print(repr(error), file=sys.stderr)
        os._exit(1)

print("ready", flush=True)
for line in sys.stdin:
    order = json.loads(line)
    pids = []
    while len(pids) < order["processes"]:
        pid = os.fork()
        if pid == 0:
            child(order)
        pids.append(pid)
    if order["kill_after"] is not None:
        time.sleep(order["kill_after"])
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
    print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]), flush=True)
"""


class Nursery:
    """A process that has everything imported and forks others, so that each begins at once.

    ``script`` defines ``work(inst, order)``, which gives an exit code, and ``POINTS``: by name, what is
    called with a count to make the process die at that point, with the help of ``dies_at``.
    """

    def __init__(self, script: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BEFORE + script + _AFTER],
            cwd=_PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._read() == "ready"

    def run(
        self,
        inst: Installation,
        settings: dict[str, Any],
        order: dict[str, Any],
        *,
        dies_at: tuple[str, int] = ("", 0),
        kill_after: float | None = None,
        processes: int = 1,
    ) -> list[int]:
        """Do ``order`` in processes of their own; gives their exit codes.

        -9 is killed from outside, 9 died at the point asked for, 1 failed.
        """
        home = {"home": str(inst.settings.home), "catalog_url": inst.settings.catalog_url}
        whole = {
            **order,
            "settings": {**home, **settings},
            "point": dies_at[0],
            "count": dies_at[1],
            "kill_after": kill_after,
            "processes": processes,
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(whole) + "\n")
        self._process.stdin.flush()
        return cast(list[int], json.loads(self._read()))

    def close(self) -> None:
        self._process.communicate(timeout=60)

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()
