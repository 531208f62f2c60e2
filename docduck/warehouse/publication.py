"""Publication for analysts: a complete file, put in place atomically, so that readers never wait."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from docduck import clock
from docduck.errors import Transient
from docduck.files.access import share_file
from docduck.files.writing import flush_folder

_CHUNK = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Published:
    """A published copy: path, size in bytes, and the seconds it took."""

    path: Path
    size: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _Last:
    """The last publication: state of the source, time (seconds since 1970), and duration."""

    source: tuple[int, ...]
    at: float
    seconds: float


class Publication:
    """Make ``target`` anew after each change of ``source``, by calling ``make`` with a path beside it.

    The last publication is recorded in ``<target stem>.json``. They are at least ``pause`` seconds apart, and
    ``copy_factor`` times the last one's duration. The file is readable by the owner and the group
    ``readers``.
    """

    def __init__(
        self,
        source: Path,
        target: Path,
        make: Callable[[Path], None],
        pause: float = 5.0,
        copy_factor: float = 10.0,
        readers: str | None = None,
    ) -> None:
        self.source = source
        self.target = target
        self._make = make
        self._pause = pause
        self._copy_factor = copy_factor
        self._readers = readers
        self._state = target.with_suffix(".json")
        self._new = target.with_name(target.name + ".new")

    def due_in(self, at_rest: bool = False) -> float | None:
        """Return the seconds until a publication is due; None if the target is up to date.

        ``at_rest`` ignores the pause, which waits for more changes.
        """
        state = _state_of(self.source)
        if not state:
            return None
        last = self._last()
        if last is None or not self.target.exists():
            return 0.0
        if last.source == state:
            return None
        pause = max(0.0 if at_rest else self._pause, self._copy_factor * last.seconds)
        since = clock.now().timestamp() - last.at
        return max(0.0, pause - since) if since >= 0 else 0.0

    def put(self) -> Published:
        """Make the file and put it in place; the source must have no writer.

        Raise Transient, leaving the earlier file, if the disk is full.
        """
        began = time.perf_counter()
        try:
            self._make(self._new)
            state = _state_of(self.source)
            share_file(self._new, self._readers)
            self.target.with_name(self.target.name + ".wal").unlink(missing_ok=True)
            self._new.replace(self.target)
            flush_folder(self.target.parent)
            seconds = time.perf_counter() - began
            self._remember(_Last(state, clock.now().timestamp(), seconds))
        except OSError as error:
            self.tidy()
            raise Transient(f"{self.target} could not be published: {error}") from error
        return Published(self.target, self.target.stat().st_size, seconds)

    def tidy(self) -> None:
        """Remove leftovers of a killed publisher."""
        self._new.unlink(missing_ok=True)

    def _last(self) -> _Last | None:
        try:
            raw = json.loads(self._state.read_text("utf-8"))
            return _Last(tuple(raw["source"]), float(raw["at"]), float(raw["seconds"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _remember(self, last: _Last) -> None:
        new = self._state.with_name(self._state.name + ".new")
        new.write_text(
            json.dumps({"source": last.source, "at": last.at, "seconds": round(last.seconds, 6)}), "utf-8"
        )
        new.replace(self._state)


def copy(source: Path, target: Path) -> None:
    """Copy a file and flush it to disk, sharing blocks where the file system can (copy_file_range)."""
    with source.open("rb") as reader, target.open("wb") as writer:
        left = os.fstat(reader.fileno()).st_size
        with contextlib.suppress(OSError, AttributeError):
            while left > 0:
                copied = os.copy_file_range(reader.fileno(), writer.fileno(), min(left, _CHUNK))
                if copied == 0:
                    break
                left -= copied
        if left > 0:
            reader.seek(0)
            writer.seek(0)
            while chunk := reader.read(2**20):
                writer.write(chunk)
        writer.flush()
        os.fsync(writer.fileno())


def _state_of(path: Path) -> tuple[int, ...]:
    """Return a value that changes with every write to a DuckDB file or its log; empty without a file."""
    state: list[int] = []
    for part in (path, path.with_name(path.name + ".wal")):
        with contextlib.suppress(FileNotFoundError):
            stat = part.stat()
            state += (stat.st_ino, stat.st_size, stat.st_mtime_ns)
    return tuple(state)
