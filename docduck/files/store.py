"""The file store: the same bytes stand once, under the hash of their content.

    files/ab/cdef…      a stored file; ``ab`` is the first byte of its SHA-256 in hex
    files/incoming/     files that are being written

A file appears whole or not at all: it is written aside, synced and renamed. Who refers to a file is
counted in the catalog; this store only keeps bytes.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from docduck.errors import InputError

_CHUNK = 1024 * 1024
_ABANDONED_SECONDS = 24 * 3600


class FileTooLarge(InputError):
    """More bytes than the limit (contract G2)."""

    def __init__(self) -> None:
        super().__init__("File too large")


@dataclass(frozen=True, slots=True)
class Stored:
    """A file that is in the store: its SHA-256 in hex, and its size in bytes."""

    sha256: str
    size: int


class FileStore:
    """Files below ``root``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._incoming = root / "incoming"
        self._incoming.mkdir(parents=True, exist_ok=True)

    def put(self, stream: BinaryIO, limit: int | None = None) -> Stored:
        """Store what ``stream`` gives, at most ``limit`` bytes; memory stays bounded.

        Raises FileTooLarge, and then nothing is kept.
        """
        digest, size = hashlib.sha256(), 0
        descriptor, name = tempfile.mkstemp(dir=self._incoming)
        try:
            with open(descriptor, "wb") as target:  # noqa: PTH123 - an open descriptor, not a path
                while chunk := stream.read(_CHUNK):
                    size += len(chunk)
                    if limit is not None and size > limit:
                        raise FileTooLarge
                    digest.update(chunk)
                    target.write(chunk)
                sha256 = digest.hexdigest()
                final = self.path(sha256)
                if self._refresh(final):
                    return Stored(sha256, size)
                target.flush()
                os.fsync(target.fileno())
            final.parent.mkdir(exist_ok=True)
            Path(name).replace(final)
            _sync_folder(final.parent)
            return Stored(sha256, size)
        finally:
            with suppress(FileNotFoundError):
                Path(name).unlink()

    def put_bytes(self, data: bytes) -> Stored:
        """Store ``data``."""
        return self.put(BytesIO(data))

    def path(self, sha256: str) -> Path:
        """Where the file of this hash stands, or would stand."""
        return self.root / sha256[:2] / sha256[2:]

    def open(self, sha256: str) -> BinaryIO:
        """The stored file, opened for reading; raises FileNotFoundError."""
        return self.path(sha256).open("rb")

    def remove(self, sha256: str, unused_since: float) -> bool:
        """Delete a file unless it was stored anew after ``unused_since`` (seconds since the epoch)."""
        path = self.path(sha256)
        with suppress(FileNotFoundError):
            if path.stat().st_mtime <= unused_since:
                path.unlink()
                return True
        return False

    def clear_abandoned(self) -> int:
        """Delete what writers that died left in ``incoming``; gives how many."""
        count = 0
        for path in self._incoming.iterdir():
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < time.time() - _ABANDONED_SECONDS:
                    path.unlink()
                    count += 1
        return count

    def hashes(self) -> Iterator[str]:
        """The hash of every stored file."""
        for folder in self.root.iterdir():
            if len(folder.name) == 2:
                for path in folder.iterdir():
                    yield folder.name + path.name

    @staticmethod
    def _refresh(path: Path) -> bool:
        """Whether the file is there; its time becomes now, so that a sweep leaves it."""
        try:
            os.utime(path)
        except FileNotFoundError:
            return False
        return True


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
