"""Stored files in a bucket, with copies on this machine of those that were used last.

Objects are named as files in a folder are, ``ab/cdef…``, so that any tool can copy one to the other.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from docduck.errors import DocduckError
from docduck.files.local_files import LocalFiles
from docduck.files.store import FileAway, FileStore, StoreAway
from docduck.files.writing import Batch
from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.outbound.object_store import Bucket, ObjectGone, StoreUnavailable

_log = logging.getLogger(__name__)

_LOOK_SECONDS = 5.0
_AT_ONCE = 8
_KEPT_SECONDS = 60.0
"""A copy that was used this lately is not deleted: its path may be about to be opened."""
_CHECK_SECONDS = 30.0
_PART = 10
"""Copies are deleted whenever a process has added this part of the cache's size."""


class BucketFiles(FileStore):
    """Files in a bucket; copies of at most ``cache_bytes`` are in the folder ``cache``.

    Storing a file again writes its object again, as there is no other way to renew an object's time.
    """

    def __init__(self, endpoint: BucketEndpoint, cache: Path, cache_bytes: int) -> None:
        self._endpoint = endpoint
        self._bucket = Bucket(endpoint)
        self._cache = LocalFiles(cache)
        self._cache_bytes = cache_bytes
        self._added = cache_bytes
        self._lock = threading.Lock()
        self._checked: tuple[float, str | None] = (float("-inf"), None)

    def batch(self) -> Batch:
        """Return a batch; at its end, files are sent to the bucket, several at a time."""
        return Batch(self, str(self._incoming()))

    def open(self, sha256: str) -> BinaryIO:
        return self.local(sha256).open("rb")

    def path(self, sha256: str) -> Path:
        return self._cache.path(sha256)

    def fetch(self, hashes: Iterable[str]) -> Mapping[str, DocduckError]:
        missing = [sha256 for sha256 in dict.fromkeys(hashes) if not self._cache.renew(sha256)]
        failures: dict[str, DocduckError] = {}

        def fetch(sha256: str) -> None:
            try:
                self._fetch(sha256)
            except DocduckError as error:
                failures[sha256] = error

        _each(fetch, missing)
        self._make_room(missing)
        return failures

    def stored_at(self, sha256: str) -> float | None:
        with self._errors(), suppress(ObjectGone):
            return self._bucket.head(_key(sha256))["last_modified"].timestamp()
        return None

    def remove(self, sha256: str, unused_since: float) -> bool:
        stored_at = self.stored_at(sha256)
        if stored_at is None or stored_at > unused_since:
            return False
        with self._errors():
            self._bucket.delete(_key(sha256))
        self._cache.path(sha256).unlink(missing_ok=True)
        return True

    def hashes(self, first_byte: str = "") -> Iterator[str]:
        with self._errors():
            for meta in self._bucket.objects(first_byte or None):
                folder, _, name = meta["path"].partition("/")
                if len(folder) == 2:
                    yield folder + name

    def clear_abandoned(self) -> int:
        return self._cache.clear_abandoned()

    def problem(self) -> str | None:
        """Return why files can't be stored, if they can't; the bucket is asked every half minute."""
        checked_at, problem = self._checked
        if time.monotonic() - checked_at >= _CHECK_SECONDS:
            problem = self._cache.problem()
            try:
                with self._errors():
                    next(Bucket(self._endpoint, _LOOK_SECONDS).objects("00"), None)
            except StoreAway as error:
                problem = error.detail
            self._checked = time.monotonic(), problem
        return problem

    def renew(self, sha256: str) -> bool:
        """Return False: an object's time is renewed by writing it again."""
        return False

    def keep(self, aside: Mapping[str, str], renewed: Collection[str]) -> None:
        def put(sha256: str) -> None:
            with self._errors():
                self._bucket.write(_key(sha256), Path(aside[sha256]))

        _each(put, list(aside))
        # The files are stored: a copy that can't be kept is fetched when it is needed.
        with suppress(OSError):
            self._cache.keep(aside, ())
        self._make_room(aside)

    def _incoming(self) -> Path:
        """Return the folder for files that are being written; somebody may have emptied the cache."""
        folder = self._cache.root / "incoming"
        with self._errors():
            folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _fetch(self, sha256: str) -> None:
        """Copy a file to the cache, if it exists."""
        with self._errors(), suppress(ObjectGone), Batch(self._cache, str(self._incoming())) as batch:
            incoming = batch.begin()
            for chunk in self._bucket.chunks(_key(sha256)):
                incoming.write(chunk)
            if incoming.finish().sha256 != sha256:
                batch.drop()
                detail = f"{self._place} has another content than its name says: {_key(sha256)}"
                _log.warning("%s", detail)
                raise FileAway(detail)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise StoreAway for errors of the bucket and of the cache's disk."""
        try:
            yield
        except StoreUnavailable as error:
            raise self._away(f"{self._place} can't be used: {error}") from error
        except ObjectGone as error:
            raise self._away(f"{self._place} can't be used: there is no such bucket") from error
        except OSError as error:
            raise self._away(
                f"Copies of stored files can't be kept in {self._cache.root} on {socket.gethostname()}: "
                f"{error.strerror} (DOCDUCK_FILE_CACHE_MB)"
            ) from error

    def _away(self, detail: str) -> StoreAway:
        """Return the error; callers of the API are not told addresses and folders, but the log is."""
        _log.warning("%s", detail)
        return StoreAway(detail)

    @property
    def _place(self) -> str:
        return f"The file store {self._endpoint.url} (DOCDUCK_FILES_URL, on {socket.gethostname()})"

    def _make_room(self, added: Iterable[str]) -> None:
        """Delete the copies that were not used for longest, once there are too many."""
        with self._lock:
            self._added += sum(_size(self._cache.path(sha256)) for sha256 in added)
            if self._added < self._cache_bytes // _PART:
                return
            self._added = 0
        copies = [
            (status.st_mtime, status.st_size, path)
            for sha256 in self._cache.hashes()
            if (status := _stat(path := self._cache.path(sha256))) is not None
        ]
        excess = sum(size for _, size, _ in copies) - self._cache_bytes
        for used_at, size, path in sorted(copies):
            if excess <= 0 or used_at > time.time() - _KEPT_SECONDS:
                break
            path.unlink(missing_ok=True)
            excess -= size


def _key(sha256: str) -> str:
    return f"{sha256[:2]}/{sha256[2:]}"


def _stat(path: Path) -> os.stat_result | None:
    with suppress(FileNotFoundError):
        return path.stat()
    return None


def _size(path: Path) -> int:
    status = _stat(path)
    return status.st_size if status else 0


def _each(work: Callable[[str], None], hashes: Collection[str]) -> None:
    """Do ``work`` for each, several at a time."""
    if len(hashes) < 2:
        for sha256 in hashes:
            work(sha256)
        return
    with ThreadPoolExecutor(min(_AT_ONCE, len(hashes)), "files") as threads:
        for _ in threads.map(work, hashes):
            pass
