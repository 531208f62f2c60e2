"""Changes below folders, as the operating system reports them.

Network file systems report none, and the number of watched folders is limited: look at the folders now and
then as well.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Self

from watchdog.events import (
    DirCreatedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import ObservedWatch

_log = logging.getLogger(__name__)

_CHANGES: list[type[FileSystemEvent]] = [
    DirCreatedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]


class FolderChanges(FileSystemEventHandler):
    """Call ``changed`` for each change below the watched folders, in a thread, until the block ends."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._observer = Observer()
        self._watches: dict[Path, ObservedWatch] = {}

    def __enter__(self) -> Self:
        self._observer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._observer.stop()
        self._observer.join()

    def watch(self, folders: Collection[Path]) -> set[Path]:
        """Watch these folders with all below them, and no others; return those that can't be watched."""
        for path in [folder for folder in self._watches if folder not in folders or not folder.is_dir()]:
            self._observer.unschedule(self._watches.pop(path))
        unwatched = set()
        for path in folders:
            if path in self._watches:
                continue
            try:
                self._watches[path] = self._observer.schedule(
                    self, str(path), recursive=True, event_filter=_CHANGES
                )
            except OSError as error:
                _log.debug("changes of %s are not reported: %s", path, error)
                unwatched.add(path)
        return unwatched

    def on_any_event(self, event: FileSystemEvent) -> None:
        self._changed()
