"""The program of a fork server; its arguments are a socket descriptor and the parent's process id.

It imports the modules that a request names and forks a worker, which keeps nothing of the server but memory:
its own descriptors, process group and scratch folder, and the sandbox, are set up after the fork and before
its first task. The server itself never reads a document, so workers don't learn from each other.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import sys
import threading
import traceback
from pathlib import Path

from docduck import plugins
from docduck.workers.channel import FORK, PREPARE, Frame, receive_frame, send_frame
from docduck.workers.program import work

_DESCRIPTORS = 3
_LOOK_SECONDS = 1.0
_THREADS = Path("/proc/self/task")


def main() -> None:
    """Serve requests until the parent is gone."""
    control, parent = map(int, sys.argv[1:])
    plugins.folders()  # the workers need them, and find them in the server's memory
    sock = socket.socket(fileno=control)
    # The socket may be held by another child of the parent.
    while os.getppid() == parent:
        if select.select([sock], [], [], _LOOK_SECONDS)[0]:
            frame = receive_frame(sock)
            if frame is None:
                return
            if frame.kind == PREPARE:
                _import(frame.payload.decode().split())
                continue
            answer = _fork(frame, sock) if frame.kind == FORK else _reap(int(frame.payload))
            send_frame(sock, frame.kind, str(answer).encode())


def _fork(frame: Frame, sock: socket.socket) -> int:
    _, descriptors, _, _ = socket.recv_fds(sock, 1, _DESCRIPTORS)
    _import(frame.payload.decode().split())
    server = os.getpid()
    pid = os.fork()
    if pid == 0:
        sock.close()
        _be_worker(descriptors, server)
    with contextlib.suppress(OSError):  # it has done so itself
        os.setpgid(pid, pid)
    for descriptor in descriptors:
        os.close(descriptor)
    return pid


def _import(modules: list[str]) -> None:
    if sys.platform == "darwin":
        return  # its frameworks don't survive a fork: workers import everything themselves
    for name in modules:
        # The worker imports it again, and fails with the reason.
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    gc.freeze()
    threads = len(list(_THREADS.iterdir())) if _THREADS.is_dir() else threading.active_count()
    if threads > 1:
        raise RuntimeError(f"importing {', '.join(modules)} has started threads, which a fork would lose")


def _be_worker(descriptors: list[int], server: int) -> None:
    code = 1
    try:
        os.setpgid(0, 0)
        stream, inbox, noise = descriptors
        for descriptor in (1, 2):
            os.dup2(noise, descriptor)
        os.close(noise)
        work(stream, inbox, server)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _reap(pid: int) -> int:
    """Kill a worker, whatever group it has moved to; return how it ended."""
    os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
