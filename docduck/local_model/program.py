"""The program of a model's server: xllamacpp's own HTTP server, in a process with limits."""

from __future__ import annotations

import os
import resource
import secrets
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import msgspec

from docduck.local_model.server_state import Running, ServerState
from docduck.owner import this_process, try_lock
from docduck.supervisor_watch import end_with_supervisor

_CHECK_SECONDS = 1.0
_SPARE_MEMORY = 1.5
"""How much more than it should need a server may take before the kernel refuses it."""
_ERRORS = 1
"""Its level of log lines."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a server is to serve; ``folder`` is that of its state, ``lock`` a descriptor that it inherits."""

    file: str
    name: str
    context_tokens: int
    folder: str
    lock: int
    idle_seconds: float
    memory_bytes: int


def main() -> None:
    """Serve the model that standard input names, until nobody uses it or the supervisor is gone."""
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    owner = this_process()
    os.truncate(order.lock, 0)
    os.pwrite(order.lock, owner.encode(), 0)
    os.umask(0o077)
    end_with_supervisor()
    _limit(order)
    state = ServerState(Path(order.folder))
    key = secrets.token_urlsafe(32)
    try:
        server = _serve(order, key)
    except RuntimeError as error:
        # The library has said why.
        sys.exit(str(error) if not state.log.stat().st_size else 1)
    port = urlsplit(server.listening_address).port
    assert port is not None
    os.utime(state.used)
    state.set_running(Running(owner, port, key, time.time()))
    _wait_until_idle(state, order.idle_seconds)


def _limit(order: Order) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    most = int(order.memory_bytes * _SPARE_MEMORY)
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _serve(order: Order, key: str) -> Any:
    """Return the server, which ends with its object."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = order.file
    params.model_alias = {order.name}
    params.n_ctx = order.context_tokens
    # One request at a time has the whole context, and the processors to itself.
    params.n_parallel = 1
    params.cache_ram_mib = 0
    params.cpuparams.n_threads = _threads()
    # Models that think by default answer at once.
    params.enable_reasoning = 0
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.ui = False
    params.cors_origins = ""
    params.cors_credentials = False
    params.verbosity = _ERRORS
    return xllamacpp.Server(params)


def _threads() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _wait_until_idle(state: ServerState, seconds: float) -> NoReturn:
    """End this process once nobody has used the server for ``seconds``, or its folder is gone."""
    while True:
        time.sleep(_CHECK_SECONDS)
        try:
            handle = os.open(state.used, os.O_RDWR)
        except FileNotFoundError:
            os._exit(0)
        try:
            if time.time() - os.fstat(handle).st_mtime > seconds and try_lock(handle):
                # Whoever asks now waits for this lock, and then starts another server.
                os._exit(0)
        finally:
            os.close(handle)
