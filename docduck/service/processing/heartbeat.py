"""Renewal of leases during a run."""

from __future__ import annotations

import logging
import threading
from types import TracebackType
from typing import Self

from docduck.owner import HEARTBEAT_SECONDS
from docduck.service.core.installation import Installation
from docduck.service.processing import document_queue

_log = logging.getLogger(__name__)


class Heartbeat:
    """Renew the leases of ``owner`` in a thread until the block ends."""

    def __init__(self, inst: Installation, owner: str) -> None:
        self._inst = inst
        self._owner = owner
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(HEARTBEAT_SECONDS):
            try:
                document_queue.heartbeat(self._inst, self._owner)
            except Exception:
                _log.exception("the lease of %s could not be renewed; trying again", self._owner)
