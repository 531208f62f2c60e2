"""What the pool's tests have workers do; each is told by the task's first word."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

from docduck.errors import EmptyFile, Transient, UnsupportedFile

_kept: list[bytes] = []
_served = 0


def perform(task: tuple[Any, ...]) -> Any:
    """Do what ``task[0]`` names with the rest."""
    global _served
    _served += 1
    return globals()[f"_{task[0]}"](*task[1:])


def nothing(task: Any) -> Any:
    return task


def _echo(value: Any) -> Any:
    return value


def _pid() -> int:
    return os.getpid()


def _ordinal() -> tuple[int, int]:
    return os.getpid(), _served


def _sleep(seconds: float, value: Any = None) -> Any:
    time.sleep(seconds)
    return value


def _spin() -> None:
    """Hang in C code that never gives up the interpreter lock."""
    re.match(r"(a|aa)+$", "a" * 60 + "b")


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _segfault() -> None:
    ctypes.string_at(0)


def _exit(code: int) -> None:
    sys.exit(code)


def _vanish() -> None:
    os._exit(0)


def _crash_once(marker: str) -> str:
    if not Path(marker).exists():
        Path(marker).touch()
        os.abort()
    return "survived"


def _raise() -> None:
    raise ZeroDivisionError("of all things")


def _document_error() -> None:
    raise UnsupportedFile("image/x-odd")


def _empty() -> None:
    raise EmptyFile


def _transient() -> None:
    raise Transient("the model is away")


def _recurse() -> None:
    _recurse()


def _hoard(mib: int) -> None:
    """Take memory in small steps and touch it."""
    held = []
    for _ in range(mib):
        held.append(bytearray(os.urandom(1)) * (1 << 20))
        time.sleep(0.001)


def _demand(mib: int) -> int:
    return len(bytearray(mib << 20))


def _keep(mib: int) -> int:
    _kept.append(b"x" * (mib << 20))
    return os.getpid()


def _blob(mib: int) -> bytes:
    return b"d" * (mib << 20)


def _unpicklable() -> Any:
    return lambda: None


def _noise() -> str:
    os.write(1, b"spam on stdout\n" * 10_000)
    os.write(2, b"spam on stderr\n" * 10_000)
    print("more spam", flush=True)
    return "still understood"


def _environment() -> dict[str, Any]:
    return {
        "threads": os.environ.get("OMP_NUM_THREADS"),
        "stdin": sys.stdin.read(),
        "group": os.getpgrp(),
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
    }
