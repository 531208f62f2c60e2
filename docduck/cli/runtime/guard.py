"""The guard of supervised processes; it is started by path, so it uses only the standard library.

``guard.py exec PARENT COMMAND…`` becomes COMMAND, with default signals, killed when its parent dies.
``guard.py watch N…`` begins with these process groups and reads changes from standard input, ``+N`` and
``-N``, one per line. When the input ends, because the supervisor has died, it kills the remaining groups.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def become(parent: int, command: list[str]) -> None:
    """Replace this process by ``command``; prctl(2): the kernel ends it with ``parent`` (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            sys.exit(1)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, set())
    os.execv(command[0], command)


def watch(groups: set[int]) -> None:
    """Kill the remaining groups when standard input ends."""
    for line in sys.stdin:
        if line.startswith("+"):
            groups.add(int(line[1:]))
        else:
            groups.discard(int(line[1:]))
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    if sys.argv[1] == "exec":
        become(int(sys.argv[2]), sys.argv[3:])
    else:
        watch({int(group) for group in sys.argv[2:]})
