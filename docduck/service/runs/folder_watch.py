"""Looking at local folders between the ticks of their sensors, so that a dropped file is soon a row.

A thread of the API's process does it. A sensor, which Dagster ticks every five seconds at most, finds
the same files somewhat later.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from docduck.errors import DocduckError
from docduck.service.core.installation import Installation
from docduck.service.sources.intake import inspect_source
from docduck.service.sources.sources import FolderSource, sources

_log = logging.getLogger(__name__)

_SHARE = 20
"""A look may take one part in so many of the time; the next one waits accordingly."""
_FOUND_SECONDS = 5.0
"""Time for a run to take in what was found, before the folder is looked at again."""
_RELOAD_SECONDS = 10.0


@dataclass(slots=True)
class _Watched:
    source: FolderSource
    next_look: float = 0.0
    signature: str | None = None


class FolderWatch:
    """Call ``found`` with the labels of targets that have new files, until ``end`` is called."""

    def __init__(self, inst: Installation, found: Callable[[Collection[str]], None]) -> None:
        self._inst = inst
        self._found = found
        self._ended = threading.Event()
        self._watched: dict[str, _Watched] = {}
        self._reload_at = 0.0

    def end(self) -> None:
        """Make ``run`` return."""
        self._ended.set()

    def run(self) -> None:
        """Look at the folders until ``end`` is called."""
        while not self._ended.wait(self._inst.settings.folder_watch_seconds):
            try:
                self.look()
            except DocduckError as error:
                _log.debug("folders are left to their sensors: %s", error.message)
                self._ended.wait(_RELOAD_SECONDS)
            except Exception:
                _log.exception("folders are left to their sensors")
                self._ended.wait(_RELOAD_SECONDS)

    def look(self) -> None:
        """Look at the folders that are due; raise InputError if pipeline.yaml is invalid."""
        if time.monotonic() >= self._reload_at:
            self._reload()
        for one in self._watched.values():
            begin = time.monotonic()
            if begin < one.next_look:
                continue
            state = inspect_source(self._inst, one.source, one.signature)
            one.signature = state.signature
            spent = time.monotonic() - begin
            one.next_look = begin + max(_SHARE * spent, _FOUND_SECONDS if state.new else 0.0)
            if state.new:
                self._found(state.labels)

    def _reload(self) -> None:
        before = self._watched
        self._watched = {}
        for source in sources(self._inst):
            if isinstance(source, FolderSource):
                known = before.get(source.name, _Watched(source))
                self._watched[source.name] = known if known.source == source else _Watched(source)
        self._reload_at = time.monotonic() + _RELOAD_SECONDS
