"""Writing to the file store: first aside, then in place once the whole batch is on disk."""

from __future__ import annotations

import hashlib
import os
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Self

from docduck.errors import TooLarge

if TYPE_CHECKING:
    from docduck.files.store import FileStore


_CHUNK = 1024 * 1024


class FileTooLarge(TooLarge):
    """More bytes than the limit."""

    def __init__(self) -> None:
        super().__init__("File too large")


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored file: its SHA-256 in hex and its size in bytes."""

    sha256: str
    size: int


class Batch:
    """Files that are stored together, durable at the end of the ``with`` block.

    Each is written to the folder ``incoming`` and synced; at the end the store keeps all. Nothing is stored
    if the block raises. Several threads may write files of one batch.
    """

    def __init__(self, store: FileStore, incoming: str) -> None:
        self._store, self._incoming = store, incoming
        self._aside: dict[str, str] = {}
        self._renewed: set[str] = set()
        self._open: set[Incoming] = set()
        self._closed = False
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(keep=kind is None)

    def drop(self) -> None:
        """End the batch; nothing is stored."""
        self._end(keep=False)

    def begin(self, limit: int | None = None) -> Incoming:
        """Start a file of at most ``limit`` bytes that is written piece by piece."""
        incoming = Incoming(self, f"{self._incoming}/{os.urandom(16).hex()}", limit)
        with self._lock:
            if not self._closed:
                self._open.add(incoming)
                return incoming
        incoming.abort()
        raise ValueError("The batch is over")

    def add(self, stream: BinaryIO, limit: int | None = None) -> Stored:
        """Write a stream of at most ``limit`` bytes in bounded memory.

        Raise FileTooLarge and leave the batch unchanged.
        """
        incoming = self.begin(limit)
        try:
            while chunk := stream.read(_CHUNK):
                incoming.write(chunk)
            return incoming.finish()
        except BaseException:
            incoming.abort()
            raise

    def open(self, stored: Stored) -> BinaryIO:
        """Open a finished file of this batch for reading, before or after the end of the block."""
        with self._lock:
            aside = self._aside.get(stored.sha256)
            if aside is not None:
                return open(aside, "rb")  # noqa: PTH123
        return self._store.open(stored.sha256)

    def path(self, stored: Stored) -> Path:
        """Return where a finished file of this batch is until the end of the block."""
        with self._lock:
            aside = self._aside.get(stored.sha256)
        return self._store.local(stored.sha256) if aside is None else Path(aside)

    def _end(self, keep: bool) -> None:
        with self._lock:
            self._closed = True
            unfinished = list(self._open)
        for incoming in unfinished:
            incoming.abort()
        try:
            if keep:
                self._store.keep(self._aside, self._renewed)
        finally:
            for name in self._aside.values():
                with suppress(FileNotFoundError):
                    os.unlink(name)  # noqa: PTH108 - plain names: this is done for every file
            self._aside.clear()

    def _has(self, sha256: str) -> bool:
        """Return whether the content is stored already; renew the file's time, so that it is not swept."""
        with self._lock:
            if sha256 in self._aside:
                return True
            if not self._store.renew(sha256):
                return False
            self._renewed.add(sha256)
            return True

    def _take(self, sha256: str, name: str) -> bool:
        """Add a synced file, unless the batch has the same content."""
        with self._lock:
            if self._closed:
                raise ValueError("The batch is over")
            return self._aside.setdefault(sha256, name) == name

    def _forget(self, incoming: Incoming) -> None:
        with self._lock:
            self._open.discard(incoming)


class Incoming:
    """A file being written to a batch: call ``write``, then ``finish`` or ``abort``.

    The methods block on the disk, and ``finish`` waits for a sync: call them outside of the event loop.
    Unfinished files are aborted at the batch's end and then raise ValueError.
    """

    def __init__(self, batch: Batch, name: str, limit: int | None) -> None:
        self._batch, self._name, self._limit = batch, name, limit
        self._digest, self._size = hashlib.sha256(), 0
        self._lock = threading.Lock()
        descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self._file = open(descriptor, "wb")  # noqa: PTH123, SIM115 - an open descriptor, closed by _drop

    def write(self, data: bytes) -> None:
        """Append ``data``; raise FileTooLarge and abort the file."""
        with self._lock:
            self._require_open()
            self._size += len(data)
            if self._limit is not None and self._size > self._limit:
                self._drop()
                raise FileTooLarge
            self._file.write(data)
            self._digest.update(data)

    def finish(self) -> Stored:
        """Sync the file and hand it to the batch."""
        with self._lock:
            self._require_open()
            stored = Stored(self._digest.hexdigest(), self._size)
            try:
                self._file.flush()
                is_new = not self._batch._has(stored.sha256)
                if is_new:
                    os.fsync(self._file.fileno())
                    is_new = self._batch._take(stored.sha256, self._name)
            except BaseException:
                self._drop()
                raise
            self._drop(unlink=not is_new)
            return stored

    def abort(self) -> None:
        """Drop the file; no effect if it is finished or aborted."""
        with self._lock:
            if not self._file.closed:
                self._drop()

    def _require_open(self) -> None:
        if self._file.closed:
            raise ValueError("The file is finished or aborted")

    def _drop(self, unlink: bool = True) -> None:
        self._batch._forget(self)
        # A full disk may refuse the last bytes of a file that is dropped.
        with suppress(OSError):
            self._file.close()
        if unlink:
            with suppress(FileNotFoundError):
                os.unlink(self._name)  # noqa: PTH108


def flush_folder(folder: Path | str) -> None:
    """Flush a folder's entries to disk, to make a rename durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
