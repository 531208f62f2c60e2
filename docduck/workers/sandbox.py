"""The sandbox of workers: no other files, network, processes or privileges.

Files are restricted by Landlock (Linux 5.13, https://docs.kernel.org/userspace-api/landlock.html), system
calls by seccomp (https://docs.kernel.org/userspace-api/seccomp_filter.html). Restrictions that the kernel
lacks are skipped; ``enter`` returns those in force.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from docduck import plugins

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2

_PROBE_SECONDS = 30
_CAPABILITY_VERSION = 0x20080522

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_RULESET_VERSION = 1
_PATH_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""All file rights known by each version of Landlock."""
_TCP_RIGHTS, _TCP_VERSION = 0b11, 4
_SCOPES, _SCOPE_VERSION = 0b11, 6
"""Restrict abstract sockets of, and signals to, other processes."""

_ARCHITECTURES = {
    # audit architecture; socket, io_uring_setup, ptrace, process_vm_readv, process_vm_writev
    "x86_64": (0xC000003E, (41, 425, 101, 310, 311)),
    "aarch64": (0xC00000B7, (198, 425, 117, 270, 271)),
}
_X32_BIT = 0x40000000
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _DENY, _KILL = 0x7FFF0000, 0x00050000 | 13, 0x80000000
"""Results of a filter: allow; fail with EACCES; kill the process."""

_SYSTEM = (
    *("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime", "/etc/mime.types"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/sys/vm/overcommit_memory", "/sys/devices/system"),
    *("/sys/fs/cgroup", "/dev/urandom", "/dev/random", "/dev/zero"),
)
_DEVICES = ("/dev/null",)


def enter(scratch: Path | str) -> list[str]:
    """Restrict this single-threaded process for the rest of its life.

    It may read Python, its packages and the system's libraries, and use ``scratch``. Return the names of the
    restrictions in force.
    """
    if sys.platform != "linux":
        return []
    library = ctypes.CDLL(None, use_errno=True)
    held = []
    if library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 and _drop_capabilities(library):
        held.append("no privileges")
    if version := _restrict_files(library, Path(scratch)):
        held.append(f"files (Landlock {version})")
    if _restrict_calls(library):
        held.append("network (seccomp)")
    elif version >= _TCP_VERSION:
        held.append("TCP (Landlock)")
    return held


def probe() -> list[str]:
    """Return the restrictions that ``enter`` would achieve, tried in a child process."""
    script = f"from docduck.workers.sandbox import enter; print(*enter({os.curdir!r}), sep=';')"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-P", "-c", script],
            env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_PROBE_SECONDS,
        )
    return [name for name in done.stdout.strip().split(";") if name]


def readable_folders() -> list[Path]:
    """Return the folders of Python, its packages, docduck and its plugins."""
    packages = (Path(entry) for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages"))
    own = Path(__file__).parents[1]
    return [Path(sys.prefix), Path(sys.base_prefix), *packages, own, *plugins.folders()]


def _drop_capabilities(library: ctypes.CDLL) -> bool:
    return bool(library.capset(struct.pack("=Ii", _CAPABILITY_VERSION, 0), bytes(24)) == 0)


def _restrict_files(library: ctypes.CDLL, scratch: Path) -> int:
    """Return the version of Landlock in force, or 0."""
    version = library.syscall(_CREATE_RULESET, None, 0, _RULESET_VERSION)
    if version < 1:
        return 0
    rights = _FILE_RIGHTS[max(known for known in _FILE_RIGHTS if known <= version)]
    tcp = _TCP_RIGHTS if version >= _TCP_VERSION else 0
    scopes = _SCOPES if version >= _SCOPE_VERSION else 0
    attributes = struct.pack("QQQ", rights, tcp, scopes)
    size = 24 if scopes else 16 if tcp else 8
    ruleset = library.syscall(_CREATE_RULESET, attributes, size, 0)
    if ruleset < 0:
        return 0
    try:
        _allow(library, ruleset, [*readable_folders(), *map(Path, _SYSTEM)], _READ & rights)
        _allow(library, ruleset, map(Path, _DEVICES), (_READ_FILE | _WRITE_FILE) & rights)
        _allow(library, ruleset, [scratch], rights & ~_EXECUTE)
        return version if library.syscall(_RESTRICT_SELF, ruleset, 0) == 0 else 0
    finally:
        os.close(ruleset)


def _allow(library: ctypes.CDLL, ruleset: int, paths: Iterable[Path], rights: int) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                # Files have no folder rights.
                allowed = rights if path.is_dir() else rights & (_EXECUTE | _WRITE_FILE | _READ_FILE)
                rule = struct.pack("=Qi", allowed, descriptor)
                library.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
            finally:
                os.close(descriptor)


def _restrict_calls(library: ctypes.CDLL) -> bool:
    """Deny new sockets, io_uring and access to other processes."""
    if platform.machine() not in _ARCHITECTURES or sys.maxsize < 2**32:
        return False
    architecture, denied = _ARCHITECTURES[platform.machine()]
    checks = [(_JUMP_AT_LEAST, _X32_BIT), *((_JUMP_EQUAL, number) for number in denied)]
    program = [
        (_LOAD, 0, 0, 4),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
        *((code, len(checks) - at, 0, number) for at, (code, number) in enumerate(checks)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _DENY),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
    header = struct.pack("H6xP", len(program), ctypes.addressof(code))
    return bool(library.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, header, 0, 0) == 0)
