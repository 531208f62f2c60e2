"""Ingestion during a run: files that arrive meanwhile don't wait for another run."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Sequence
from typing import Self

from docduck.service.core.installation import Installation
from docduck.service.sources.intake import ingest, inspect_source
from docduck.service.sources.report import IntakeReport
from docduck.service.sources.sources import FolderSource, Source
from docduck.sources.folder.changes import FolderChanges

_INTERVAL_SECONDS = 1.0
_QUIET_SECONDS = 5.0
_MAX_PROCESSOR_SHARE = 0.1


class SourceWatcher:
    """Ingest new documents of ``sources`` while the block runs, each source in a thread of its own.

    A source is checked every second while it has something new, every five if it has not, less often if that
    would take more than a tenth of a processor, and a folder at once when the system reports a change.
    """

    def __init__(self, inst: Installation, sources: Sequence[Source], log: logging.Logger) -> None:
        self._inst = inst
        self._sources = sources
        self._log = log
        self._ended = False
        self._wakes = {source.name: threading.Event() for source in sources}
        self._expected: dict[str, int] = {}
        self._signatures: dict[str, str] = {}
        self._reports: dict[str, IntakeReport] = {}
        self._threads = [
            threading.Thread(target=self._watch, args=(source,), name=f"watch-{source.name}", daemon=True)
            for source in sources
        ]

    def expected(self) -> int | None:
        """Return how many documents are being ingested, or will be once they have settled.

        Return None until each source has been checked once.
        """
        expected = list(self._expected.values())
        return sum(expected) if len(expected) == len(self._wakes) else None

    def reports(self) -> list[tuple[Source, IntakeReport]]:
        """Return the sources from which the watcher has ingested, with the sum of its reports."""
        return [
            (source, self._reports[source.name]) for source in self._sources if source.name in self._reports
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        for wake in self._wakes.values():
            wake.set()
        for thread in self._threads:
            thread.join()

    def _watch(self, source: Source) -> None:
        wake = self._wakes[source.name]
        with FolderChanges(wake.set) as changes:
            if isinstance(source, FolderSource):
                changes.watch({source.path})
            seconds = _INTERVAL_SECONDS
            while not self._ended:
                begin = time.thread_time()
                self._expected[source.name] = waiting = self._check(source)
                seconds = _INTERVAL_SECONDS if waiting else min(2 * seconds, _QUIET_SECONDS)
                spent = time.thread_time() - begin
                if wake.wait(max(seconds, spent / _MAX_PROCESSOR_SHARE)):
                    wake.clear()
                    seconds = _INTERVAL_SECONDS

    def _check(self, source: Source) -> int:
        """Ingest the source's new documents; return how many others will be ready soon."""
        try:
            state = inspect_source(self._inst, source, self._signatures.get(source.name))
            self._signatures[source.name] = state.signature
            if state.new:
                self._expected[source.name] = state.new
                report = ingest(self._inst, source, state=state)
                self._reports[source.name] = _sum(self._reports.get(source.name), report)
            return state.waiting
        except Exception:
            self._log.exception("Source %s could not be checked; trying again", source.name)
            return 0


def _sum(before: IntakeReport | None, now: IntakeReport) -> IntakeReport:
    """Add two reports; ``waiting`` is that of the later one."""
    if before is None:
        return now
    return IntakeReport(
        registered=before.registered + now.registered,
        duplicates=before.duplicates + now.duplicates,
        waiting=now.waiting,
        refused=before.refused + now.refused,
        unreadable=before.unreadable + now.unreadable,
        vanished=before.vanished + now.vanished,
        by_parser=dict(Counter(before.by_parser) + Counter(now.by_parser)),
        messages=list(dict.fromkeys([*before.messages, *now.messages])),
    )
