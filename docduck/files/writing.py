"""Writing into the file store: aside first, and in place when the whole batch is safe on the disk."""

from __future__ import annotations

import hashlib
import os
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from docduck.errors import InputError

_CHUNK = 1024 * 1024


class FileTooLarge(InputError):
    """More bytes than the limit (contract G2)."""

    def __init__(self) -> None:
        super().__init__("File too large")


@dataclass(frozen=True, slots=True)
class Stored:
    """A file that is in the store: its SHA-256 in hex, and its size in bytes."""

    sha256: str
    size: int


class Batch:
    """Files that come into the store together; they are there for good once the ``with`` block is left.

    Each is written to ``incoming`` and synced; at the end all are renamed, and each folder they came
    into is synced once. Nothing is kept when the block raises.
    """

    def __init__(self, root: Path, incoming: Path) -> None:
        self._root, self._incoming = str(root), str(incoming)
        self._aside: dict[str, str] = {}
        self._folders: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._keep()
        finally:
            for name in self._aside.values():
                with suppress(FileNotFoundError):
                    os.unlink(name)  # noqa: PTH108 - plain names: this is done for every file
            self._aside.clear()

    def add(self, stream: BinaryIO, limit: int | None = None) -> Stored:
        """Write what ``stream`` gives, at most ``limit`` bytes; memory stays bounded.

        Raises FileTooLarge, and then the batch is as it was before.
        """
        name = f"{self._incoming}/{os.urandom(16).hex()}"
        descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with ExitStack() as undo:
            undo.callback(os.unlink, name)
            with open(descriptor, "wb") as target:  # noqa: PTH123 - an open descriptor, not a path
                stored = _copy(stream, target, limit)
                if self._has(stored.sha256):
                    return stored
                target.flush()
                os.fsync(descriptor)
            self._aside[stored.sha256] = name
            undo.pop_all()
        return stored

    def _has(self, sha256: str) -> bool:
        """Whether the bytes are here already; the time of a stored file becomes now, so a sweep leaves it."""
        if sha256 in self._aside:
            return True
        folder, path = self._place(sha256)
        try:
            os.utime(path)
        except FileNotFoundError:
            return False
        # Whoever put it there may not have come to syncing the folder yet.
        self._folders.add(folder)
        return True

    def _keep(self) -> None:
        for sha256, name in list(self._aside.items()):
            folder, path = self._place(sha256)
            try:
                os.rename(name, path)  # noqa: PTH104
            except FileNotFoundError:
                Path(folder).mkdir(exist_ok=True)
                self._folders.add(self._root)
                os.rename(name, path)  # noqa: PTH104
            del self._aside[sha256]
            self._folders.add(folder)
        for folder in self._folders:
            _sync_folder(folder)

    def _place(self, sha256: str) -> tuple[str, str]:
        folder = f"{self._root}/{sha256[:2]}"
        return folder, f"{folder}/{sha256[2:]}"


def _copy(source: BinaryIO, target: BinaryIO, limit: int | None) -> Stored:
    digest, size = hashlib.sha256(), 0
    while chunk := source.read(_CHUNK):
        size += len(chunk)
        if limit is not None and size > limit:
            raise FileTooLarge
        digest.update(chunk)
        target.write(chunk)
    return Stored(digest.hexdigest(), size)


def _sync_folder(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
