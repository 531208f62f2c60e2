"""A value from the network that is kept, and loaded again when it is old."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from docduck.errors import Transient

T = TypeVar("T")

_FAILURE_SECONDS = 10.0
"""How long a failure is remembered, so that a provider that hangs is asked only once in that time."""

_WAIT_SECONDS = 2.0
"""How long to wait for the first value while another thread loads it."""


class KeptValue(Generic[T]):
    """The result of ``load``, which raises Transient if it fails; thread-safe.

    Only one thread loads at a time. The others, and all for a while after a failure, get the old value.
    """

    def __init__(self, load: Callable[[], T]) -> None:
        self._load = load
        self._loading = threading.Lock()
        self._kept: tuple[float, T] | None = None
        self._failure: tuple[float, str] | None = None

    def get(self, seconds: float) -> T:
        """Return the value, loaded again if it is older than ``seconds`` and that succeeds.

        Raise Transient if there is no value at all.
        """
        if self._kept is not None and _age(self._kept) <= seconds:
            return self._kept[1]
        is_first = self._kept is None and self._failure is None
        if self._loading.acquire(timeout=_WAIT_SECONDS if is_first else 0):
            try:
                return self._refreshed(seconds)
            finally:
                self._loading.release()
        if self._kept is None:
            raise Transient("The provider has not answered yet. Try again in a moment")
        return self._kept[1]

    def _refreshed(self, seconds: float) -> T:
        # Another thread may have loaded it, or failed to, meanwhile.
        is_due = self._kept is None or _age(self._kept) > seconds
        if is_due and (self._failure is None or _age(self._failure) > _FAILURE_SECONDS):
            try:
                self._kept, self._failure = (time.monotonic(), self._load()), None
            except Transient as error:
                self._failure = (time.monotonic(), error.message)
        if self._kept is not None:
            return self._kept[1]
        assert self._failure is not None
        raise Transient(self._failure[1])


def _age(dated: tuple[float, object]) -> float:
    return time.monotonic() - dated[0]
