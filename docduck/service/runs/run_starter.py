"""Starting a run as soon as documents are queued or files dropped, without waiting for Dagster's next tick.

A thread of the API's process launches the run. If it fails, a sensor does it; ``queued_documents`` waits
``HEAD_START_SECONDS`` so that not both start a run.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial

from sqlalchemy import select

from docduck.catalog.models import Classifier, Document, Parser
from docduck.catalog.notifications import QUEUED, listen
from docduck.errors import Transient
from docduck.outbound.http import TrustedEndpoint
from docduck.service.core.installation import Installation
from docduck.service.runs import dagster_api
from docduck.service.runs.folder_watch import FolderWatch
from docduck.service.runs.processing_runs import plan_run, processing_run, retry_seconds
from docduck.statuses import Status

HEAD_START_SECONDS = 2.0
"""The time that the sensor leaves to this module after documents are queued."""

_log = logging.getLogger(__name__)

_FIRST_RECHECK_SECONDS, _MAX_RECHECK_SECONDS = 0.5, 4.0


class RunStarter:
    """Start runs for queued documents, with one request to Dagster at a time.

    While a run is live, parsers are checked again until their queues are empty, because the run may be about
    to end.
    """

    def __init__(self, inst: Installation, dagster: TrustedEndpoint) -> None:
        self._inst = inst
        self._dagster = dagster
        self._lock = threading.Condition()
        self._due: dict[str, float] = {}
        self._slugs: set[str] = set()
        self._recheck_seconds: dict[str, float] = {}
        self._ended = False

    def start_now(self) -> None:
        """Start a run for the parsers noted so far; raise Transient if Dagster refuses."""
        if self._due:
            self._start(list(self._due), ())

    def wake(self, parser_ids: frozenset[str]) -> None:
        """Note that documents of these parsers were queued."""
        with self._lock:
            for parser_id in parser_ids:
                self._due.setdefault(parser_id, 0.0)
            self._lock.notify()

    def wake_for_sources(self, slugs: Collection[str]) -> None:
        """Note that sources have something new for these targets; a run takes it in."""
        with self._lock:
            self._slugs.update(slugs)
            self._lock.notify()

    def end(self) -> None:
        """Make ``run`` return."""
        with self._lock:
            self._ended = True
            self._lock.notify()

    def run(self) -> None:
        """Start runs until ``end`` is called."""
        while (due := self._wait()) is not None:
            parser_ids, slugs = due
            try:
                is_live = self._start(parser_ids, slugs)
            except Transient as error:
                _log.warning("no run was started, so a sensor will do it: %s", error.message)
                is_live = False
            except Exception:
                _log.exception("no run was started, so a sensor will do it")
                is_live = False
            self._recheck(parser_ids, is_live)

    def _wait(self) -> tuple[list[str], set[str]] | None:
        """Wait for parsers to check, or targets of sources, and return them; return None at the end."""
        with self._lock:
            while not self._ended:
                now = time.monotonic()
                due = [parser_id for parser_id, at in self._due.items() if at <= now]
                if due or self._slugs:
                    for parser_id in due:
                        del self._due[parser_id]
                    slugs, self._slugs = self._slugs, set()
                    return due, slugs
                self._lock.wait(min(self._due.values()) - now if self._due else None)
            return None

    def _recheck(self, checked: list[str], is_live: bool) -> None:
        with self._lock:
            for one in checked:
                before = self._recheck_seconds.pop(one, 0.0)
                if is_live:
                    seconds = min(_MAX_RECHECK_SECONDS, 2 * before) or _FIRST_RECHECK_SECONDS
                    self._recheck_seconds[one] = seconds
                    self._due[one] = time.monotonic() + seconds

    def _start(self, parser_ids: list[str], from_sources: Collection[str]) -> bool:
        """Start a run if one of the parsers has queued documents, or a source something, and a run may start.

        Return whether a run is live already.
        """
        slugs = sorted({*self._slugs_with_work(parser_ids), *from_sources})
        if not slugs:
            return False
        live, finished = dagster_api.list_runs(self._dagster)
        if processing_run(live):
            return True
        # A sensor starts the run once the delay is over.
        if not retry_seconds(finished):
            job, keys = plan_run(slugs, partial(dagster_api.table_keys, self._dagster))
            _log.info("started run %s for %s", dagster_api.launch(self._dagster, job, keys), ", ".join(slugs))
        return False

    def _slugs_with_work(self, parser_ids: list[str]) -> list[str]:
        """Return the slugs of those parsers, and the ids of those classifiers, that have queued documents."""
        found: list[str] = []
        with self._inst.catalog.read_session() as session:
            for table, name in ((Parser, Parser.slug), (Classifier, Classifier.id)):
                queued = select(Document.id).where(
                    Document.target_id == table.id, Document.status == Status.QUEUED
                )
                chosen = (table.id.in_(parser_ids), table.deleted_at.is_(None), queued.exists())
                found += session.scalars(select(name).where(*chosen))
        return found


@contextmanager
def run_at_end(inst: Installation) -> Iterator[None]:
    """At the end of the block, start a run for documents that it queued.

    If ``docduck up`` is not running or doesn't answer, a sensor does so later.
    """
    url = inst.settings.dagster_url or _ui_address(inst)
    if url is None:
        yield
        return
    with dagster_api.endpoint(url) as dagster:
        starter = RunStarter(inst, dagster)
        forget = listen(inst.catalog.engine, QUEUED, starter.wake)
        try:
            yield
        finally:
            forget()
        try:
            starter.start_now()
        except Transient as error:
            _log.debug("no run was started, so a sensor will do it: %s", error.message)


def _ui_address(inst: Installation) -> str | None:
    """Return the address of the Dagster UI that ``docduck up`` has written to the home."""
    try:
        return (inst.settings.home / "run" / "ui").read_text().strip() or None
    except OSError:
        return None


@contextmanager
def starting_runs(inst: Installation) -> Iterator[None]:
    """Start runs for documents queued during the block; do nothing without a ``dagster_url``."""
    url = inst.settings.dagster_url
    if url is None:
        yield
        return
    with dagster_api.endpoint(url) as dagster:
        starter = RunStarter(inst, dagster)
        watch = FolderWatch(inst, starter.wake_for_sources)
        threads = [threading.Thread(target=starter.run, name="starting-runs", daemon=True)]
        if inst.settings.folder_watch_seconds:
            threads.append(threading.Thread(target=watch.run, name="watching-folders", daemon=True))
        forget = listen(inst.catalog.engine, QUEUED, starter.wake)
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            forget()
            watch.end()
            starter.end()
            for thread in threads:
                thread.join(timeout=inst.settings.stop_grace_seconds / 4)
