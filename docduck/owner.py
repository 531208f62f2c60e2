"""Identity of processes, for owners of claims and locks, and the temporary folder of their user."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
import tempfile
import uuid
from contextlib import suppress
from functools import cache
from pathlib import Path

import psutil

from docduck.errors import DocduckError
from docduck.ids import new_id

LEASE_SECONDS, HEARTBEAT_SECONDS = 60, 10
"""How long a claim holds without a heartbeat, and how often a process renews its claims."""

_IDS = (Path("/proc/sys/kernel/random/boot_id"), Path("/etc/machine-id"))


def this_process() -> str:
    """Return an owner's name: machine, process namespace, pid, start time, and a token."""
    pid = os.getpid()
    return "/".join((*_here(), str(pid), _started(psutil.Process(pid)), new_id()[-8:]))


def is_this_process(owner: str) -> bool:
    """Return whether ``owner`` is a name that this process gave itself."""
    return owner.rpartition("/")[0] == this_process().rpartition("/")[0]


def is_dead(owner: str) -> bool:
    """Return whether ``owner`` is known to be dead; False if it runs on another machine."""
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


def pid_of(owner: str) -> int | None:
    """Return the process id of ``owner``; None if it is dead, elsewhere, or no owner's name."""
    parts = owner.split("/")
    is_here = len(parts) == 5 and tuple(parts[:2]) == _here()
    return int(parts[2]) if is_here and not is_dead(owner) else None


def _here() -> tuple[str, str]:
    namespace = Path("/proc/self/ns/pid")
    # Containers may share a host name, but not a process namespace.
    space = str(namespace.readlink()) if namespace.is_symlink() else "-"
    return _machine(), space


@cache
def _machine() -> str:
    """Return the name of this machine; since machines may share a host name, with the id of its boot."""
    # macOS has neither file, but a hardware address.
    name = next(filter(None, map(_first_line, _IDS)), f"{uuid.getnode():x}")
    return f"{socket.gethostname()}.{name}".replace("/", "-")


def _first_line(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def _started(process: psutil.Process) -> str:
    return f"{process.create_time():.2f}"


def try_lock(descriptor: int, *, shared: bool = False) -> bool:
    """Lock an open file if no other process has; return whether it is locked.

    The kernel frees it when this process dies.
    """
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def temporary_folder() -> Path:
    """Return this user's folder, made if there is none; raise DocduckError if it isn't this user's alone."""
    folder = Path(tempfile.gettempdir()) / f"docduck-{os.geteuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    # Another user may have made it first, or a link, to read or replace what is written into it.
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise DocduckError(f"{folder} is not this user's alone: remove it, or set TMPDIR to a folder that is")
    return folder


def home_or_temporary(home: Path) -> Path:
    """Return the folder for what processes share: the home, or without one this user's temporary folder."""
    return home.absolute() if home.is_dir() else temporary_folder()
