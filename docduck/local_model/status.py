"""What is known of the language model: which it is, whether it runs, what went wrong."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Literal

import psutil

from docduck.local_model.choice import LocalModel
from docduck.local_model.server import obstacle
from docduck.local_model.server_state import ServerState

ServerPhase = Literal["running", "starting", "stopped"]


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """The language model of an installation.

    ``endpoint`` is the host of an endpoint. A model on this machine has a ``file`` and a ``server``, which is
    started when it is needed; ``memory_bytes`` is what it takes, ``failure`` why it could not start or broke
    the last time, and ``problem`` why it can't start now.
    """

    name: str
    endpoint: str | None = None
    file: str | None = None
    licence: str | None = None
    context_tokens: int | None = None
    server: ServerPhase | None = None
    memory_bytes: int | None = None
    running_since: dt.datetime | None = None
    failure: str | None = None
    failed_at: dt.datetime | None = None
    problem: str | None = None


def local_status(model: LocalModel) -> ModelStatus:
    """Return what is known of a model on this machine."""
    state = ServerState.of(model)
    is_alive = state.is_alive()
    running, failed = state.running if is_alive else None, state.failed
    process = state.process() if is_alive else None
    return ModelStatus(
        model.name,
        file=str(model.file),
        licence=model.licence,
        context_tokens=model.context_tokens,
        server="stopped" if not is_alive else "starting" if running is None else "running",
        memory_bytes=None if process is None else _memory(process),
        running_since=None if running is None else _moment(running.since),
        failure=None if is_alive or failed is None else failed.message,
        failed_at=None if is_alive or failed is None else _moment(failed.at),
        problem=None if is_alive else obstacle(model),
    )


def _memory(process: psutil.Process) -> int | None:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return None


def _moment(epoch: float) -> dt.datetime:
    return dt.datetime.fromtimestamp(epoch, dt.UTC)
