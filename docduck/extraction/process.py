"""A worker process as its pool sees it: started, spoken to, measured, killed."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import psutil

from docduck.extraction.channel import FrameReader, send_frame
from docduck.extraction.worker import Order

_SEND_SECONDS = 10
_COMMAND = "from docduck.extraction.worker import main; main()"
_TAIL_BYTES = 4000
# One thread a worker: the pool is the parallelism. Few malloc arenas keep a long life's memory flat.
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}


@dataclass(slots=True)
class Assignment:
    """A task on its way: ``payload`` is the pickled task, ``retried`` whether it lost a worker before."""

    key: str
    payload: bytes
    retried: bool = False


class WorkerProcess:
    """One process of the pool; it works on at most one ``assignment`` at a time.

    It may be given its first assignment before it is ready. ``since`` is when the present phase
    (start, task) began, by the monotonic clock.
    """

    def __init__(self, order: Order, reply_bytes: int, assignment: Assignment | None = None) -> None:
        self.assignment = assignment
        self.ready = False
        self.spent = False
        self.served = 0
        self.since = time.monotonic()
        self.socket, theirs = socket.socketpair()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", _SEND_SECONDS, 0))
        self.frames = FrameReader(self.socket, reply_bytes)
        self._noise = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        environment = os.environ | _ENVIRONMENT
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _COMMAND, str(theirs.fileno()), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=self._noise,
                stderr=self._noise,
                pass_fds=[theirs.fileno()],
                env=environment,
                # Ctrl-C and signals to the parent's group are the parent's to handle.
                process_group=0,
            )
        self._usage = psutil.Process(self._process.pid)
        send_frame(self.socket, pickle.dumps(order))

    @property
    def pid(self) -> int:
        return self._process.pid

    def begin(self) -> None:
        """Send the assignment; raises OSError when the process is gone."""
        assert self.assignment is not None
        self.since = time.monotonic()
        send_frame(self.socket, self.assignment.payload)

    def memory_bytes(self) -> int:
        """Resident memory; 0 when the process is gone."""
        try:
            return int(self._usage.memory_info().rss)
        except psutil.Error:
            return 0

    def kill(self) -> str:
        """End the process at once; how it ended and the last it wrote, for the log."""
        self._process.kill()
        code = self._process.wait()
        self.socket.close()
        with self._noise as noise:
            noise.seek(max(0, noise.seek(0, os.SEEK_END) - _TAIL_BYTES))
            tail = noise.read().decode(errors="replace").strip()
        how = _ending(code)
        return f"{how}\n{tail}" if tail else how


def _ending(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
