"""The process that works for a WorkerPool; in argv: the numbers of two sockets, and the parent's pid.

It gets an Order over the first socket, a stream, and says ready; then it takes tasks and answers each
with a Reply. Tasks come as datagrams over the second socket, which the parent can read too, and so take
back what the worker has not begun. What is too large for a datagram comes over the stream.

The process is expendable: the pool kills it when a task takes too long or too much memory, and it dies
with its parent.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import importlib
import os
import pickle
import resource
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from docduck.errors import DamagedFile, Defect, DocduckError
from docduck.extraction.channel import receive_frame, send_frame

READY = b""
MOST_DATAGRAM_BYTES = 1 << 16
_PR_SET_PDEATHSIG = 1
_MOST_WRITTEN_BYTES = 1 << 30
_GRACE_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Order:
    """What a worker is for: its job, the modules to import before it says ready, and its limits.

    ``data_bytes`` bounds allocation; past it Python gets MemoryError and C code a null pointer.
    """

    job: Callable[[Any], Any]
    preload: tuple[str, ...]
    seconds: float
    data_bytes: int


@dataclass(frozen=True, slots=True)
class Reply:
    """The outcome of a task; ``exhausted``: memory ran out, and the worker is of no more use."""

    result: Any = None
    error: DocduckError | None = None
    trace: str | None = None
    seconds: float = 0.0
    exhausted: bool = False


def main() -> None:
    """Serve tasks until the parent closes the socket."""
    stream, inbox, parent = map(int, sys.argv[1:])
    _die_with(parent)
    faulthandler.enable(2, all_threads=False)
    # Both are closed by the end of the process, after its last words.
    sock, tasks = socket.socket(fileno=stream), socket.socket(fileno=inbox)
    frame = receive_frame(sock)
    if frame is None:
        return
    order: Order = pickle.loads(frame)
    for name in order.preload:
        importlib.import_module(name)
    _limit(order.data_bytes)
    send_frame(sock, READY)
    while (frame := _next_task(sock, tasks)) is not None:
        _forget_noise()
        # If the pool is not there to do it, the kernel ends a task that overruns.
        signal.setitimer(signal.ITIMER_REAL, order.seconds + _GRACE_SECONDS)
        reply = _perform(order.job, frame)
        signal.setitimer(signal.ITIMER_REAL, 0)
        send_frame(sock, _packed(reply))


def _next_task(sock: socket.socket, tasks: socket.socket) -> bytes | None:
    while True:
        readable, _, _ = select.select([tasks, sock], [], [])
        if tasks not in readable:
            return receive_frame(sock)
        with contextlib.suppress(BlockingIOError):  # the parent has taken it back
            return tasks.recv(MOST_DATAGRAM_BYTES, socket.MSG_DONTWAIT)


def _perform(job: Callable[[Any], Any], frame: bytes) -> Reply:
    start = time.perf_counter()
    try:
        result = job(pickle.loads(frame))
        return Reply(result=result, seconds=time.perf_counter() - start)
    except DocduckError as error:
        return Reply(error=error.with_traceback(None), seconds=time.perf_counter() - start)
    except MemoryError:
        return Reply(exhausted=True, seconds=time.perf_counter() - start)
    except RecursionError:
        damaged = DamagedFile("it is nested too deeply")
        return Reply(error=damaged, seconds=time.perf_counter() - start)
    except BaseException as error:
        defect = Defect(f"{type(error).__name__}: {error}")
        return Reply(error=defect, trace=traceback.format_exc(), seconds=time.perf_counter() - start)


def _packed(reply: Reply) -> bytes:
    try:
        return pickle.dumps(reply, pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        return pickle.dumps(Reply(exhausted=True, seconds=reply.seconds))
    except Exception as error:
        defect = Defect(f"The result can't be sent: {type(error).__name__}: {error}")
        return pickle.dumps(Reply(error=defect, trace=traceback.format_exc(), seconds=reply.seconds))


def _die_with(parent: int) -> None:
    """Have the kernel kill this process when the pool's thread ends, even by SIGKILL (Linux).

    Elsewhere the closed socket ends an idle worker, and the timer of its task a busy one.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _limit(data_bytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for kind, most in ((resource.RLIMIT_DATA, data_bytes), (resource.RLIMIT_FSIZE, _MOST_WRITTEN_BYTES)):
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard),) * 2)


def _forget_noise() -> None:
    """Empty the file behind stdout and stderr, which is read only when this process dies."""
    os.ftruncate(2, 0)
    os.lseek(2, 0, os.SEEK_SET)
