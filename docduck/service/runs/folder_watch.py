"""Watching local folders between the ticks of their sensors, so that a dropped file is soon a row.

A thread of the API's process does it. A sensor finds the same files later.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from docduck.errors import DocduckError
from docduck.service.core.installation import Installation
from docduck.service.sources.intake import inspect_source
from docduck.service.sources.sources import FolderSource, sources
from docduck.sources.folder.changes import FolderChanges

WATCH_SECONDS = 1
"""Between looks while files in the folders wait, and where the system does not report changes."""

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
    is_due: bool = True
    has_new: bool = False


class FolderWatch:
    """Call ``on_files`` when folders hold new files, also unsettled ones, until ``end`` is called.

    A folder is looked at when the system reports a change, again while files in it wait, and every
    ``WATCH_SECONDS`` if the system reports none.
    """

    def __init__(self, inst: Installation, on_files: Callable[[], None]) -> None:
        self._inst = inst
        self._on_files = on_files
        self._wake = threading.Event()
        self._ended = False
        self._watched: dict[str, _Watched] = {}
        self._unwatched: set[Path] = set()
        self._reload_at = 0.0

    def has_files(self) -> bool:
        """Return whether a folder held new files when it was last looked at."""
        return any(folder.has_new for folder in list(self._watched.values()))

    def end(self) -> None:
        """Make ``run`` return."""
        self._ended = True
        self._wake.set()

    def run(self) -> None:
        """Look at the folders until ``end`` is called."""
        with FolderChanges(self._changed) as changes:
            while not self._ended:
                try:
                    self.look(changes)
                    seconds = WATCH_SECONDS if self._any_due() else _RELOAD_SECONDS
                except DocduckError as error:
                    _log.debug("folders are left to their sensors: %s", error.message)
                    seconds = _RELOAD_SECONDS
                except Exception:
                    _log.exception("folders are left to their sensors")
                    seconds = _RELOAD_SECONDS
                self._wake.wait(seconds)

    def look(self, changes: FolderChanges) -> None:
        """Look at the folders that are due; raise InputError if pipeline.yaml is invalid."""
        if time.monotonic() >= self._reload_at:
            self._reload(changes)
        if self._wake.is_set():
            self._wake.clear()
            for folder in self._watched.values():
                folder.is_due = True
        for folder in self._watched.values():
            begin = time.monotonic()
            if not folder.is_due or begin < folder.next_look:
                continue
            state = inspect_source(self._inst, folder.source, folder.signature)
            folder.signature, folder.has_new = state.signature, bool(state.new)
            spent = time.monotonic() - begin
            folder.next_look = begin + max(_SHARE * spent, _FOUND_SECONDS if state.new else 0.0)
            folder.is_due = bool(state.new or state.waiting) or folder.source.path in self._unwatched
            if state.new or state.waiting:
                self._on_files()

    def _changed(self) -> None:
        self._wake.set()

    def _any_due(self) -> bool:
        return any(folder.is_due for folder in self._watched.values())

    def _reload(self, changes: FolderChanges) -> None:
        before = self._watched
        self._watched = {}
        for source in sources(self._inst):
            if isinstance(source, FolderSource):
                known = before.get(source.name, _Watched(source))
                self._watched[source.name] = known if known.source == source else _Watched(source)
        self._unwatched = changes.watch({folder.source.path for folder in self._watched.values()})
        for folder in self._watched.values():
            folder.is_due = folder.is_due or folder.source.path in self._unwatched
        self._reload_at = time.monotonic() + _RELOAD_SECONDS
