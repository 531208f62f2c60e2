"""Identity of processes, for owners of claims and locks."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import psutil

from docduck.ids import new_id


def this_process() -> str:
    """Return an owner's name: host, process namespace, pid, start time, and a token."""
    pid = os.getpid()
    return "/".join((*_here(), str(pid), _started(psutil.Process(pid)), new_id()[-8:]))


def is_dead(owner: str) -> bool:
    """Return whether ``owner`` is known to be dead; False if it runs on another host."""
    parts = owner.split("/")
    if len(parts) != 5 or tuple(parts[:2]) != _here():
        return False
    try:
        process = psutil.Process(int(parts[2]))
        return _started(process) != parts[3] or process.status() == psutil.STATUS_ZOMBIE
    except (psutil.NoSuchProcess, ValueError):
        return True
    except psutil.AccessDenied:
        return False


def _here() -> tuple[str, str]:
    namespace = Path("/proc/self/ns/pid")
    # Containers may share a host name, but not a process namespace.
    space = str(namespace.readlink()) if namespace.is_symlink() else "-"
    return socket.gethostname().replace("/", "-"), space


def _started(process: psutil.Process) -> str:
    return f"{process.create_time():.2f}"
