"""The server of a model: started by who needs it first, started again when it has died."""

from __future__ import annotations

import importlib.util
import math
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import msgspec

from docduck.errors import InputError, Transient
from docduck.local_model.choice import LocalModel
from docduck.local_model.gguf import read_header
from docduck.local_model.memory import free_bytes, in_gigabytes, needed_bytes
from docduck.local_model.program import Order
from docduck.local_model.server_state import Running, ServerState
from docduck.supervisor_watch import SUPERVISOR

PAUSE_SECONDS = 60.0
"""After a start that failed, documents are read without the model for so long before the next one."""
IDLE_SECONDS = 600.0
"""A server that nobody used for so long ends."""
REMEDY = "pip install 'docduck[model]'"

_POLL_SECONDS = 0.05
_COMMAND = "from docduck.local_model.program import main; main()"
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TZ", "HOME", "LD_LIBRARY_PATH", SUPERVISOR)
# Threads that spin while they wait stand still once processors are shared: a token takes seconds.
_THREADS = {"OMP_WAIT_POLICY": "PASSIVE"}
_ABOUT_MODEL = "error loading model: "
_LONGEST_REASON = 300


def is_installed() -> bool:
    """Return whether the library that serves models is installed."""
    return importlib.util.find_spec("xllamacpp") is not None


def obstacle(model: LocalModel) -> str | None:
    """Return why a model can't be served on this machine now, as a clause with the remedy; None if it can."""
    if not is_installed():
        return f"xllamacpp, which serves models, is not installed: {REMEDY}"
    try:
        header = read_header(model.file)
    except InputError as error:
        return error.message
    needed, free = needed_bytes(header, model.context_tokens), free_bytes()
    if needed > free:
        return (
            f"{model.name} needs {in_gigabytes(needed)} of memory, and {in_gigabytes(free)} are free: choose "
            "a smaller model (docduck model list), or a smaller DOCDUCK_MODEL_CONTEXT_TOKENS"
        )
    return None


class ModelServer:
    """The server of one model, shared with all processes of the home."""

    def __init__(self, model: LocalModel) -> None:
        self._model = model
        self._reaper: threading.Thread | None = None
        self.state = ServerState.of(model)

    def running(self, deadline: float) -> Running:
        """Return the server, started if there is none.

        Raise Transient if it can't start, or doesn't by ``deadline``. After a failure, it is not tried again
        for ``PAUSE_SECONDS``.
        """
        pause = PAUSE_SECONDS
        while True:
            lock = self.state.try_lock()
            if lock is None:
                if (running := self.state.running) is not None:
                    return running
            else:
                try:
                    self._refuse(pause)
                    self._launch(lock)
                    # What fails now is not tried again.
                    pause = math.inf
                finally:
                    # The new server has a descriptor of the same lock.
                    os.close(lock)
            if time.monotonic() > deadline:
                raise Transient("its server takes too long to start")
            time.sleep(_POLL_SECONDS)

    def _refuse(self, pause: float) -> None:
        """Raise Transient if a start failed in the last ``pause`` seconds, or would fail."""
        if self._reaper is not None:
            self._reaper.join()
        failed = self.state.failed
        if failed is not None and 0 <= time.time() - failed.at < pause:
            raise Transient(failed.message)
        if (reason := obstacle(self._model)) is not None:
            self.state.set_failed(reason)
            raise Transient(reason)

    def _launch(self, lock: int) -> None:
        """Start a process that holds ``lock`` as long as it lives."""
        self.state.set_starting()
        needed = needed_bytes(read_header(self._model.file), self._model.context_tokens)
        order = Order(
            str(self._model.file),
            self._model.name,
            self._model.context_tokens,
            str(self.state.folder),
            lock,
            IDLE_SECONDS,
            needed,
        )
        environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
        python_path = os.pathsep.join(filter(None, sys.path))
        with self.state.log.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", _COMMAND],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                pass_fds=(lock,),
                cwd="/",
                env={**environment, **_THREADS, "PYTHONPATH": python_path},
                # It outlives this process.
                start_new_session=True,
            )
        assert process.stdin is not None
        with suppress(BrokenPipeError), process.stdin as pipe:
            pipe.write(msgspec.json.encode(order))
        self._reaper = threading.Thread(target=self._reap, args=(process,), name="model-server", daemon=True)
        self._reaper.start()

    def _reap(self, process: subprocess.Popen[bytes]) -> None:
        """Wait for the end of the process; if it could not start, say why."""
        code = process.wait()
        if code and self.state.running is None:
            reason = self._logged() or (f"exit code {code}" if code > 0 else signal.Signals(-code).name)
            self.state.set_failed(f"its server could not start: {reason}")

    def _logged(self) -> str:
        """Return the error in the log: the first that is about the model, or else the last line."""
        with suppress(OSError):
            lines = self.state.log.read_text(errors="replace").strip().splitlines()
            about = [line.partition(_ABOUT_MODEL)[2] for line in lines if _ABOUT_MODEL in line]
            return "".join((about or lines[-1:])[:1])[:_LONGEST_REASON]
        return ""
