"""The file store: every content is stored once, under its hash.

    files/ab/cdef…      a stored file; ``ab`` is the first byte of its SHA-256 in hex
    files/incoming/     files that are being written

A file appears complete or not at all: it is written aside, synced and renamed (see ``writing``). References
to files are counted in the catalog; the store only keeps bytes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from docduck.files.writing import Batch, Stored

_ABANDONED_SECONDS = 24 * 3600


class FileStore:
    """Files below ``root``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._incoming = root / "incoming"
        self._incoming.mkdir(parents=True, exist_ok=True)

    def put(self, stream: BinaryIO, limit: int | None = None) -> Stored:
        """Store a stream of at most ``limit`` bytes in bounded memory.

        Raise FileTooLarge and store nothing.
        """
        with self.batch() as batch:
            return batch.add(stream, limit)

    def batch(self) -> Batch:
        """Return a batch of files to store together, which is cheaper than one by one."""
        return Batch(self.root, self._incoming)

    def put_bytes(self, data: bytes) -> Stored:
        """Store ``data``."""
        return self.put(BytesIO(data))

    def path(self, sha256: str) -> Path:
        """Return the path of the file with this hash, whether it exists or not."""
        return self.root / sha256[:2] / sha256[2:]

    def open(self, sha256: str) -> BinaryIO:
        """Open a stored file for reading; raise FileNotFoundError."""
        return self.path(sha256).open("rb")

    def remove(self, sha256: str, unused_since: float) -> bool:
        """Delete a file unless it was stored again after ``unused_since`` (seconds since the epoch)."""
        path = self.path(sha256)
        with suppress(FileNotFoundError):
            if path.stat().st_mtime <= unused_since:
                path.unlink()
                return True
        return False

    def clear_abandoned(self) -> int:
        """Delete leftovers of dead writers in ``incoming``; return how many."""
        count = 0
        for path in self._incoming.iterdir():
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < time.time() - _ABANDONED_SECONDS:
                    path.unlink()
                    count += 1
        return count

    def hashes(self) -> Iterator[str]:
        """Yield the hash of every stored file."""
        for folder in self.root.iterdir():
            if len(folder.name) == 2:
                for path in folder.iterdir():
                    yield folder.name + path.name
