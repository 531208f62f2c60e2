"""Requests to the model on this machine."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Any, Self

from docduck.errors import Transient
from docduck.local_model.choice import LocalModel
from docduck.local_model.server import ModelServer
from docduck.local_model.server_state import Running
from docduck.outbound.http import HttpResponse, TrustedEndpoint

_ALIVE_SECONDS = 30.0
"""How long a server may take to say that it is alive: it may be in the middle of a long question."""
_DEATH_SECONDS = 1.0
"""How long the lock of a process that was killed may outlive its connections."""
_POLL_SECONDS = 0.02


class LocalEndpoint:
    """A connection pool to the server of a model, whichever process that is; thread-safe.

    It is used like a ``TrustedEndpoint``, as a context manager.
    """

    def __init__(self, model: LocalModel) -> None:
        self._server = ModelServer(model)
        self._lock = threading.Lock()
        self._current: tuple[Running, TrustedEndpoint] | None = None
        self._is_checking = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._current is not None:
            self._current[1].__exit__(kind, error, trace)

    def post(self, path: str, body: Any, seconds: float) -> HttpResponse:
        """Post ``body`` as JSON and return the response, whatever its status; start the server if need be.

        A request that breaks because its server has died is sent once more, to a new one. Raise Transient as
        ``TrustedEndpoint`` does, and if there is no server.
        """
        deadline = time.monotonic() + seconds
        state = self._server.state
        state.create()
        with state.in_use(deadline):
            running = self._server.running(deadline)
            try:
                return self._endpoint(running).post(f"v1/{path}", body, _left(deadline))
            except Transient:
                if not self._has_died(running):
                    self._end_if_hung(running)
                    raise
            running = self._server.running(deadline)
            try:
                return self._endpoint(running).post(f"v1/{path}", body, _left(deadline))
            except Transient as error:
                if self._has_died(running):
                    state.set_failed(f"its server died twice while it answered ({error.message})")
                raise

    def _endpoint(self, running: Running) -> TrustedEndpoint:
        with self._lock:
            if self._current is None or self._current[0] != running:
                headers = {"Authorization": f"Bearer {running.key}"}
                if self._current is not None:
                    self._current[1].__exit__(None, None, None)
                self._current = running, TrustedEndpoint(f"http://127.0.0.1:{running.port}", headers)
            return self._current[1]

    def _has_died(self, running: Running) -> bool:
        """Return whether a server is gone, to which a request has broken off."""
        state = self._server.state
        until = time.monotonic() + _DEATH_SECONDS
        while state.is_alive() and state.running == running:
            if time.monotonic() > until:
                return False
            time.sleep(_POLL_SECONDS)
        return True

    def _end_if_hung(self, running: Running) -> None:
        """Look whether the server is alive, beside the document; kill it if not."""
        if self._is_checking.acquire(blocking=False):
            threading.Thread(target=self._check, args=(running,), name="model-check", daemon=True).start()

    def _check(self, running: Running) -> None:
        try:
            self._endpoint(running).get("slots", _ALIVE_SECONDS)
        except Transient:
            if not self._has_died(running):
                self._server.state.end()
        finally:
            self._is_checking.release()


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())
