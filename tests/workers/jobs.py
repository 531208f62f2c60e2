"""What the pool's tests have workers do; each is told by the task's first word."""

from __future__ import annotations

import ctypes
import os
import random
import re
import resource
import signal
import socket
import stat
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from docduck.errors import EmptyFile, Transient, UnsupportedFile
from docduck.workers.context import Context

_kept: list[bytes] = []
_served = 0


def perform(task: tuple[Any, ...], context: Context) -> Any:
    """Do what ``task[0]`` names with the rest; what begins with ``with_`` gets the context, too."""
    global _served
    _served += 1
    if job := globals().get(f"_{task[0]}"):
        return job(*task[1:])
    return globals()[f"_with_{task[0]}"](context, *task[1:])


def nothing(task: Any, context: Context) -> Any:
    return task


def _echo(value: Any) -> Any:
    return value


def _pid() -> int:
    return os.getpid()


def _regroup(group: int) -> None:
    """Leave the process group, as a worker could that a document has taken over, and hang."""
    os.setpgid(0, group)
    time.sleep(60)


def _places() -> dict[str, Any]:
    """What a worker could share with its siblings by mistake."""
    return {
        "random": random.random(),
        "served": _served,
        "folders": {str(Path.cwd()), tempfile.gettempdir(), os.environ["HOME"], os.environ["TMPDIR"]},
        "server": os.getppid(),
    }


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


def _with_crash_once(context: Context) -> str:
    assert context.ask is not None
    if context.ask(b"crash?", 10) == b"yes":
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


def _exhaust(mib: int) -> int:
    """Take memory until there is none; return the most that was resident, in bytes."""
    held = []
    try:
        while True:
            held.append(b"x" * (mib << 20))
    except MemoryError:
        held.clear()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


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
        "descriptors": sum(_is_open(number) for number in range(256)),
        "variables": sorted(os.environ),
        "folder": str(Path.cwd()),
    }


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _is_stream(descriptor: int) -> bool:
    return (
        _is_open(descriptor)
        and stat.S_ISSOCK(os.fstat(descriptor).st_mode)
        and (socket.socket(fileno=os.dup(descriptor)).type == socket.SOCK_STREAM)
    )


def _with_read(context: Context) -> list[bytes]:
    return [context.read(number) for number in range(len(context._inputs))]


def _with_read_with(context: Context, text: str) -> list[Any]:
    return [context.read(), len(text)]


def _with_link_outputs(context: Context, target: str) -> None:
    assert context._outputs is not None
    context._outputs.symlink_to(target)


def _with_write(context: Context, files: dict[str, bytes]) -> int:
    for name, content in files.items():
        context.write(name, content)
    return len(files)


def _with_pages(context: Context, pages: int, seconds: float) -> float:
    context.pages(pages)
    time.sleep(seconds)
    return context.deadline - time.monotonic()


def _with_ask(context: Context, questions: list[bytes], seconds: float) -> list[bytes]:
    """Ask all at the same time."""
    assert context.ask is not None
    with ThreadPoolExecutor(len(questions)) as threads:
        return list(threads.map(lambda one: context.ask(one, seconds), questions))  # type: ignore[misc]


def _attempt(what: str, *given: Any) -> str:
    """Try something that is forbidden; return how it ended."""
    tries: dict[str, Callable[..., Any]] = {
        "read": lambda path: Path(path).read_bytes(),
        "list": lambda path: list(Path(path).iterdir()),
        "write": lambda path: Path(path).write_bytes(b"x"),
        "unlink": lambda path: Path(path).unlink(),
        "link": lambda path: Path("stolen").hardlink_to(path),
        "tcp": lambda port: socket.create_connection(("127.0.0.1", port), 2),
        "udp": lambda port: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", port)),
        "unix": lambda path: socket.socket(socket.AF_UNIX).connect(path),
        "signal": lambda pid: os.kill(pid, 0),
        "setuid": lambda: os.setuid(12345),
        "chroot": lambda: os.chroot("."),
    }
    try:
        tries[what](*given)
    except OSError as error:
        return type(error).__name__
    return "done"


def _surrogate() -> dict[str, Any]:
    return {"text": "a\ud800b", "list": ["\udfff"]}


def _frame(kind: str, payload: bytes) -> None:
    """Say something else than a reply, as a worker could that a document has taken over."""
    stream = next(number for number in range(3, 256) if _is_stream(number))
    os.write(stream, struct.pack("!Qc", len(payload), kind.encode()) + payload)
    time.sleep(60)
