"""Taking in while a run is reading: what is dropped meanwhile need not wait for another run."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from docduck.service.core.installation import Installation
from docduck.service.sources.intake import IntakeReport, ingest, inspect_source
from docduck.service.sources.sources import FolderSource

_PAUSE_SECONDS = 1.0
_SHARE_OF_A_PROCESSOR = 0.1


class Watch:
    """Takes in from ``sources`` whatever appears there while the block runs.

    It looks every second, or less often where looking is hard work: a tenth of a processor at most.
    """

    def __init__(self, inst: Installation, sources: Sequence[FolderSource], log: logging.Logger) -> None:
        self._inst = inst
        self._sources = sources
        self._log = log
        self._ended = threading.Event()
        self._expected = 0
        self._seen: dict[str, str] = {}
        self._taken: dict[str, IntakeReport] = {}
        self._thread = threading.Thread(target=self._run, name="watch-sources", daemon=True)

    def expecting(self) -> int:
        """How many files lie in the sources that are being taken in, or will be once they have settled."""
        return self._expected

    def taken(self) -> list[tuple[FolderSource, IntakeReport]]:
        """The sources that something was taken in from, with all that was."""
        return [(one, self._taken[one.name]) for one in self._sources if one.name in self._taken]

    def __enter__(self) -> Self:
        if self._sources:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._sources:
            self._thread.join()

    def _run(self) -> None:
        while True:
            begin = time.thread_time()
            self._expected = sum([self._take(source) for source in self._sources])
            spent = time.thread_time() - begin
            if self._ended.wait(max(_PAUSE_SECONDS, spent / _SHARE_OF_A_PROCESSOR)):
                return

    def _take(self, source: FolderSource) -> int:
        """Take in from one source; gives how many files lie there that will soon be ready."""
        try:
            seen = inspect_source(self._inst, source, self._seen.get(source.name))
            self._seen[source.name] = seen.signature
            if seen.new:
                self._expected = seen.new
                report = ingest(self._inst, source)
                self._taken[source.name] = _sum(self._taken.get(source.name), report)
            return seen.waiting
        except Exception:
            self._log.exception("Source %s could not be looked at; trying again", source.name)
            return 0


def _sum(before: IntakeReport | None, now: IntakeReport) -> IntakeReport:
    """Two reports as one; what is still waiting is what the later one says."""
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
