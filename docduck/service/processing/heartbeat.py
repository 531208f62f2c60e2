"""Renewal of leases during a run, and the note that it reads."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from typing import Self

from sqlalchemy.exc import SQLAlchemyError

from docduck.owner import HEARTBEAT_SECONDS
from docduck.service.core.installation import Installation
from docduck.service.processing import document_queue, reading_homes

_log = logging.getLogger(__name__)


class Heartbeat:
    """Renew the leases of ``owner`` in a thread until the block ends; others see that it reads."""

    def __init__(self, inst: Installation, owner: str, run_id: str | None) -> None:
        self._inst = inst
        self._owner = owner
        self._run_id = run_id
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        is_first = True
        while is_first or not self._ended.wait(HEARTBEAT_SECONDS):
            try:
                if not is_first:
                    document_queue.heartbeat(self._inst, self._owner)
                is_first = False
                reading_homes.note(self._inst, self._owner, self._run_id)
            except Exception:
                _log.exception("the lease of %s could not be renewed; trying again", self._owner)
        with suppress(SQLAlchemyError):
            reading_homes.note(self._inst, None)
