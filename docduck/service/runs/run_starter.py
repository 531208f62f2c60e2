"""Starting a run as soon as documents are queued, instead of waiting for Dagster's next sensor tick.

A thread of the API's process asks Dagster's webserver for the run; no request waits for it. What it
can't do is left to the sensor ``queued_documents``, which looks after all queues anyway, and which gives
this thread ``HEAD_START_SECONDS`` before it acts itself, so that the two don't start a run each.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import select

from docduck.catalog.models import Document, Parser
from docduck.catalog.notices import QUEUED, listen
from docduck.errors import Transient
from docduck.outbound.http import TrustedEndpoint
from docduck.service.core.installation import Installation
from docduck.service.core.statuses import Status
from docduck.service.runs import dagster_api

HEAD_START_SECONDS = 2.0
"""How long the sensor leaves newly queued documents to this."""

_log = logging.getLogger(__name__)

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 4.0


class RunStarter:
    """Sees to it that a run reads what is queued; one question to Dagster at a time.

    While a run is live, parsers are looked at again until their queues are empty: it may just be ending.
    """

    def __init__(self, inst: Installation, dagster: TrustedEndpoint) -> None:
        self._inst = inst
        self._dagster = dagster
        self._lock = threading.Condition()
        self._due: dict[str, float] = {}
        self._pauses: dict[str, float] = {}
        self._ended = False

    def start_now(self) -> None:
        """Start a run for what was noted until now; raise Transient when Dagster does not."""
        if self._due:
            self._start(list(self._due))

    def wake(self, parser_ids: frozenset[str]) -> None:
        """Note that documents of these parsers were queued."""
        with self._lock:
            for parser_id in parser_ids:
                self._due.setdefault(parser_id, 0.0)
            self._lock.notify()

    def end(self) -> None:
        """Have ``run`` return."""
        with self._lock:
            self._ended = True
            self._lock.notify()

    def run(self) -> None:
        """Start runs until told to end."""
        while (due := self._wait()) is not None:
            try:
                is_live = self._start(due)
            except Transient as error:
                _log.warning("no run was started, so a sensor will do it: %s", error.message)
                is_live = False
            except Exception:
                _log.exception("no run was started, so a sensor will do it")
                is_live = False
            self._look_again(due, is_live)

    def _wait(self) -> list[str] | None:
        """The parsers to look at, once there are any; None at the end."""
        with self._lock:
            while not self._ended:
                now = time.monotonic()
                due = [parser_id for parser_id, at in self._due.items() if at <= now]
                if due:
                    for parser_id in due:
                        del self._due[parser_id]
                    return due
                self._lock.wait(min(self._due.values()) - now if self._due else None)
            return None

    def _look_again(self, looked_at: list[str], is_live: bool) -> None:
        with self._lock:
            for one in looked_at:
                before = self._pauses.pop(one, 0.0)
                if is_live:
                    self._pauses[one] = min(_LONGEST_PAUSE, 2 * before) or _FIRST_PAUSE
                    self._due[one] = time.monotonic() + self._pauses[one]

    def _start(self, parser_ids: list[str]) -> bool:
        """Start a run if any of these has documents and no run is live; return whether one was."""
        hungry = self._hungry(parser_ids)
        if not hungry:
            return False
        found = dagster_api.runs(self._dagster)
        # After a failure, the sensor knows how long to wait.
        if not found.is_live and not found.last_failed:
            slugs = list(hungry.values())
            planned = slugs if len(slugs) <= dagster_api.MOST_PLANNED else []
            keys = [key for slug in planned for key in dagster_api.table_keys(self._dagster, slug)]
            _log.info("started run %s for %s", dagster_api.launch(self._dagster, keys), ", ".join(slugs))
        return found.is_live

    def _hungry(self, parser_ids: list[str]) -> Mapping[str, str]:
        """Slugs by id of the parsers with queued documents."""
        queued = (
            select(Document.id).where(Document.parser_id == Parser.id, Document.status == Status.QUEUED)
        ).exists()
        with self._inst.catalog.read_session() as session:
            rows = session.execute(
                select(Parser.id, Parser.slug).where(
                    Parser.id.in_(parser_ids), Parser.deleted_at.is_(None), queued
                )
            )
            return {parser_id: slug for parser_id, slug in rows}


@contextmanager
def run_at_end(inst: Installation) -> Iterator[None]:
    """Start a run at the end of the block for what this process queued in it.

    Where ``docduck up`` does not run on the home, or does not answer, a sensor does it once it does.
    """
    url = inst.settings.dagster_url or _noted_address(inst)
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


def _noted_address(inst: Installation) -> str | None:
    """Return where ``docduck up`` has noted that the Dagster UI answers."""
    try:
        return (inst.settings.home / "run" / "ui").read_text().strip() or None
    except OSError:
        return None


@contextmanager
def starting_runs(inst: Installation) -> Iterator[None]:
    """Start runs for what this process queues while the block runs; nothing without a ``dagster_url``."""
    url = inst.settings.dagster_url
    if url is None:
        yield
        return
    with dagster_api.endpoint(url) as dagster:
        starter = RunStarter(inst, dagster)
        thread = threading.Thread(target=starter.run, name="starting-runs", daemon=True)
        forget = listen(inst.catalog.engine, QUEUED, starter.wake)
        thread.start()
        try:
            yield
        finally:
            forget()
            starter.end()
            thread.join(timeout=inst.settings.stop_grace_seconds / 4)
