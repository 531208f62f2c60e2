"""Stored files in a folder.

ab/cdef…      a stored file; ``ab`` is the first byte of its SHA-256 in hex
incoming/     files that are being written
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from docduck.errors import DocduckError
from docduck.files.store import FileStore
from docduck.files.writing import Batch, flush_folder

_ABANDONED_SECONDS = 24 * 3600


class LocalFiles(FileStore):
    """Files below ``root``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._incoming = root / "incoming"
        self._incoming.mkdir(parents=True, exist_ok=True)

    def batch(self) -> Batch:
        """Return a batch; at its end, files are renamed, and each folder is synced once."""
        return Batch(self, str(self._incoming))

    def open(self, sha256: str) -> BinaryIO:
        return self.path(sha256).open("rb")

    def path(self, sha256: str) -> Path:
        return self.root / sha256[:2] / sha256[2:]

    def fetch(self, hashes: Iterable[str]) -> Mapping[str, DocduckError]:
        """Do nothing: all files are here."""
        return {}

    def stored_at(self, sha256: str) -> float | None:
        with suppress(FileNotFoundError):
            return self.path(sha256).stat().st_mtime
        return None

    def remove(self, sha256: str, unused_since: float) -> bool:
        path = self.path(sha256)
        with suppress(FileNotFoundError):
            if path.stat().st_mtime <= unused_since:
                path.unlink()
                return True
        return False

    def hashes(self, first_byte: str = "") -> Iterator[str]:
        for path in self.root.glob(f"{first_byte or '??'}/*"):
            yield path.parent.name + path.name

    def clear_abandoned(self) -> int:
        count = 0
        for path in self._incoming.iterdir():
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < time.time() - _ABANDONED_SECONDS:
                    path.unlink()
                    count += 1
        return count

    def problem(self) -> str | None:
        return None if os.access(self.root, os.W_OK | os.X_OK) else f"{self.root} can't be written"

    def renew(self, sha256: str) -> bool:
        try:
            os.utime(self._place(sha256)[1])
        except FileNotFoundError:
            return False
        return True

    def keep(self, aside: Mapping[str, str], renewed: Collection[str]) -> None:
        folders = {self._place(sha256)[0] for sha256 in renewed}
        for sha256, name in aside.items():
            folder, path = self._place(sha256)
            try:
                os.rename(name, path)  # noqa: PTH104 - plain names: this is done for every file
            except FileNotFoundError:
                Path(folder).mkdir(exist_ok=True)
                folders.add(str(self.root))
                os.rename(name, path)  # noqa: PTH104
            folders.add(folder)
        for folder in folders:
            flush_folder(folder)

    def _place(self, sha256: str) -> tuple[str, str]:
        folder = f"{self.root}/{sha256[:2]}"
        return folder, f"{folder}/{sha256[2:]}"
