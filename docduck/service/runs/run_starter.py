"""Starting a run as soon as there is work for it, without waiting for Dagster's next tick.

Work are queued documents, rows that are out of date, and dropped files.

A thread of the API's process launches the run. If it fails, a sensor does it; ``queued_documents`` waits
``HEAD_START_SECONDS`` so that not both start a run.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import select

from docduck.catalog.models import Classifier, Document, Parser, WarehouseOutbox
from docduck.catalog.notifications import RUN_NEEDED, listen
from docduck.errors import Transient
from docduck.outbound.http import TrustedEndpoint
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.waiting import note_next_run
from docduck.service.processing.document_queue import backlogs
from docduck.service.runs import dagster_api
from docduck.service.runs.folder_watch import FolderWatch
from docduck.service.runs.last_resort import LastResort
from docduck.service.runs.processing_runs import UPLOAD, processing_run, retry_seconds
from docduck.settings import STOP_GRACE_SECONDS
from docduck.statuses import Status

HEAD_START_SECONDS = 2.0
"""The time that the sensor leaves to this module after documents are queued."""

_log = logging.getLogger(__name__)

_FIRST_RECHECK_SECONDS, _MAX_RECHECK_SECONDS = 0.5, 4.0


class RunStarter:
    """Start runs for queued and changed documents, with one request to Dagster at a time.

    While a run is live, parsers are checked again until nothing is left, because the run may be about to
    end.
    """

    def __init__(self, inst: Installation, dagster: TrustedEndpoint) -> None:
        self._inst = inst
        self._dagster = dagster
        self._lock = threading.Condition()
        self._due: dict[str, float] = {}
        self._found_files = False
        self._recheck_seconds: dict[str, float] = {}
        self._ended = False

    def start_now(self) -> None:
        """Start a run for the parsers noted so far; raise Transient if Dagster refuses."""
        if self._due:
            self._start(list(self._due), False)

    def wake(self, parser_ids: frozenset[str]) -> None:
        """Note that documents of these parsers were queued, or that their rows are out of date."""
        with self._lock:
            for parser_id in parser_ids:
                self._due.setdefault(parser_id, 0.0)
            self._lock.notify()

    def wake_for_sources(self) -> None:
        """Note that sources have something new; a run takes it in."""
        with self._lock:
            self._found_files = True
            self._lock.notify()

    def end(self) -> None:
        """Make ``run`` return."""
        with self._lock:
            self._ended = True
            self._lock.notify()

    def run(self) -> None:
        """Start runs for what is queued already, and for what is noted until ``end`` is called."""
        try:
            self.wake(frozenset(backlogs(self._inst)))
        except Exception:
            _log.exception("what is queued already was not looked for, so a sensor will do it")
        while (due := self._wait()) is not None:
            parser_ids, found_files = due
            try:
                is_live = self._start(parser_ids, found_files)
            except Transient as error:
                _log.warning("no run was started, so a sensor will do it: %s", error.message)
                is_live = False
            except Exception:
                _log.exception("no run was started, so a sensor will do it")
                is_live = False
            self._recheck(parser_ids, is_live)

    def _wait(self) -> tuple[list[str], bool] | None:
        """Wait and return parsers to check, and whether sources have files; return None at the end."""
        with self._lock:
            while not self._ended:
                now = time.monotonic()
                due = [parser_id for parser_id, at in self._due.items() if at <= now]
                if due or self._found_files:
                    for parser_id in due:
                        del self._due[parser_id]
                    found_files, self._found_files = self._found_files, False
                    return due, found_files
                self._lock.wait(min(self._due.values()) - now if self._due else None)
            return None

    def _recheck(self, checked: list[str], is_live: bool) -> None:
        with self._lock:
            for starter in checked:
                before = self._recheck_seconds.pop(starter, 0.0)
                if is_live:
                    seconds = min(_MAX_RECHECK_SECONDS, 2 * before) or _FIRST_RECHECK_SECONDS
                    self._recheck_seconds[starter] = seconds
                    self._due[starter] = time.monotonic() + seconds

    def _start(self, parser_ids: list[str], found_files: bool) -> bool:
        """Start a run if one of the parsers has work, or a source files, and a run may start.

        Return whether a run is live already.
        """
        if not found_files and not self._has_work(parser_ids):
            return False
        live, finished = dagster_api.list_runs(self._dagster)
        if processing_run(live):
            return True
        # A sensor starts the run once the delay is over.
        if seconds := retry_seconds(finished):
            note_next_run(self._inst, seconds)
        else:
            _log.info("started run %s", dagster_api.launch(self._dagster, UPLOAD))
        return False

    def _has_work(self, target_ids: list[str]) -> bool:
        """Return whether one of these parsers and classifiers is not deleted, and has queued documents, or
        documents whose rows are out of date.
        """
        for table in (Parser, Classifier):
            queued = select(Document.id).where(
                Document.target_id == table.id, Document.status == Status.QUEUED
            )
            changed = select(WarehouseOutbox.document_id).where(
                WarehouseOutbox.parser_id == table.id, WarehouseOutbox.document_id != table.id
            )
            live = select(table.id).where(table.id.in_(target_ids), table.deleted_at.is_(None))
            with self._inst.catalog.read_session() as session:
                for work in (queued, changed):
                    if session.scalar(live.where(work.exists()).limit(1)) is not None:
                        return True
        return False


@contextmanager
def starting_runs(inst: Installation) -> Iterator[None]:
    """Start runs for documents queued before or during the block; do nothing without a ``dagster_url``."""
    url = inst.settings.dagster_url
    if url is None:
        yield
        return
    with dagster_api.endpoint(url) as dagster:
        starter = RunStarter(inst, dagster)
        watch = FolderWatch(inst, starter.wake_for_sources)
        resort = LastResort(inst, watch.has_files)
        threads = [
            threading.Thread(target=starter.run, name="starting-runs", daemon=True),
            threading.Thread(target=resort.run, name="last-resort", daemon=True),
            threading.Thread(target=watch.run, name="watching-folders", daemon=True),
        ]
        forget = listen(inst.catalog.engine, RUN_NEEDED, starter.wake)
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            forget()
            watch.end()
            resort.end()
            starter.end()
            for thread in threads:
                thread.join(timeout=STOP_GRACE_SECONDS / 4)
