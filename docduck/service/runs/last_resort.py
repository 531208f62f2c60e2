"""Reading without Dagster: what waits is read even if no run of Dagster starts.

A thread of the API's process watches; a process of its own reads, and ends when nothing is left, so that runs
take over as soon as they start again.
"""

from __future__ import annotations

import logging
import multiprocessing
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from docduck.errors import DocduckError
from docduck.service.core.installation import Installation, open_installation
from docduck.service.processing.document_queue import backlogs
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.processing.run_lock import SERVICE, exclusive_run, reader_of
from docduck.service.runs.source_watcher import SourceWatcher
from docduck.service.sources.sources import sources
from docduck.settings import Settings
from docduck.supervisor_watch import end_with_supervisor

READ_ALONE_SECONDS = 600
"""Without any run of Dagster that reads, while documents wait."""

_log = logging.getLogger(__name__)

_CHECK_SECONDS = 10.0


class LastResort:
    """Start a process that reads once documents, or files, have waited for ``READ_ALONE_SECONDS`` unread.

    ``has_files`` returns whether watched folders hold new files.
    """

    def __init__(self, inst: Installation, has_files: Callable[[], bool]) -> None:
        self._inst = inst
        self._has_files = has_files
        self._ended = threading.Event()
        self._unread_since: float | None = None

    def end(self) -> None:
        """Make ``run`` return."""
        self._ended.set()

    def run(self) -> None:
        """Watch until ``end`` is called."""
        while not self._ended.wait(min(_CHECK_SECONDS, READ_ALONE_SECONDS)):
            try:
                self._check()
            except Exception:
                _log.exception("what waits can't be read without Dagster now; trying again")

    def _check(self) -> None:
        if reader_of(self._inst) is not None or not self._waits():
            self._unread_since = None
            return
        now = time.monotonic()
        self._unread_since = self._unread_since or now
        if now - self._unread_since >= READ_ALONE_SECONDS:
            _log.warning("no run of Dagster has read for %.0f s: reading without one", READ_ALONE_SECONDS)
            self._read()

    def _waits(self) -> bool:
        return self._has_files() or any(
            backlog.queued or backlog.expired for backlog in backlogs(self._inst).values()
        )

    def _read(self) -> None:
        process = multiprocessing.get_context("spawn").Process(
            target=read_alone, args=(self._inst.settings,), name="reading-alone"
        )
        process.start()
        while process.is_alive() and not self._ended.is_set():
            process.join(_CHECK_SECONDS / 10)
        if process.is_alive():
            process.terminate()
        process.join()
        if process.exitcode:
            _log.warning("reading without Dagster ended with exit code %d", process.exitcode)


def read_alone(settings: Settings) -> None:
    """Ingest from all sources and read what is queued, unless a run does."""
    end_with_supervisor()
    inst = open_installation(settings)
    try:
        with exclusive_run(inst, reader=SERVICE) as alone:
            if alone:
                _read(inst)
    finally:
        inst.close()


def _read(inst: Installation) -> None:
    watched = []
    with suppress(DocduckError):  # An invalid pipeline file stops no reading.
        watched = sources(inst)
    with SourceWatcher(inst, watched, _log) as watcher:
        process_queue(inst, RunOptions(expecting=watcher.expected))
