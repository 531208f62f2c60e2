"""The file store, in a folder of the home or a bucket: every content is stored once, under its hash.

A file appears complete or not at all: it is written aside first (see ``writing``). References to files are
counted in the catalog; a store only keeps bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from docduck.errors import DocduckError, Transient
from docduck.files.writing import Batch, Stored

if TYPE_CHECKING:
    from docduck.settings import Settings


class FileAway(Transient):
    """A stored file can't be had; ``detail`` tells operators what, where and why."""

    words = "A stored file can't be read at the moment"

    def __init__(self, detail: str) -> None:
        super().__init__(self.words)
        self.detail = detail


class StoreAway(FileAway):
    """The bucket, or the folder of copies, can't be used: no file of theirs can be had."""

    words = "The file store can't be used at the moment"


class FileStore(ABC):
    """Stored files. Raise Transient if the store can't be used at the moment."""

    def put(self, stream: BinaryIO, limit: int | None = None) -> Stored:
        """Store a stream of at most ``limit`` bytes in bounded memory.

        Raise FileTooLarge and store nothing.
        """
        with self.batch() as batch:
            return batch.add(stream, limit)

    def put_bytes(self, data: bytes) -> Stored:
        """Store ``data``."""
        return self.put(BytesIO(data))

    @abstractmethod
    def batch(self) -> Batch:
        """Return a batch of files to store together, which is cheaper than one by one."""

    @abstractmethod
    def open(self, sha256: str) -> BinaryIO:
        """Open a stored file for reading; raise FileNotFoundError."""

    @abstractmethod
    def path(self, sha256: str) -> Path:
        """Return where the file with this hash is on this machine once it is fetched; it may not exist."""

    @abstractmethod
    def fetch(self, hashes: Iterable[str]) -> Mapping[str, DocduckError]:
        """Have these files at their ``path``, at least for a minute; return what failed, by hash.

        A file that does not exist is no failure.
        """

    def local(self, sha256: str) -> Path:
        """Fetch a file and return its path, whether it exists or not; raise Transient."""
        for error in self.fetch([sha256]).values():
            raise error
        return self.path(sha256)

    def read_bytes(self, sha256: str) -> bytes:
        """Return the content of a stored file; raise FileNotFoundError."""
        with self.open(sha256) as file:
            return file.read()

    @abstractmethod
    def stored_at(self, sha256: str) -> float | None:
        """Return when a file was stored last (seconds since the epoch); None if it is not."""

    @abstractmethod
    def remove(self, sha256: str, unused_since: float) -> bool:
        """Delete a file unless it was stored again after ``unused_since`` (seconds since the epoch)."""

    @abstractmethod
    def hashes(self, first_byte: str = "") -> Iterator[str]:
        """Yield the hash of every stored file, or of those that begin with these two hex digits."""

    @abstractmethod
    def clear_abandoned(self) -> int:
        """Delete leftovers of dead writers; return how many."""

    @abstractmethod
    def problem(self) -> str | None:
        """Return why files can't be stored, if they can't."""

    @abstractmethod
    def renew(self, sha256: str) -> bool:
        """Return whether a file need not be stored, as it is there; it then counts as stored now."""

    @abstractmethod
    def keep(self, aside: Mapping[str, str], renewed: Collection[str]) -> None:
        """Store finished files, durably: ``aside`` has the name of each file in ``incoming`` by hash.

        Make sure that those that were ``renewed`` are durable, too: another writer may be at it.
        """


def open_files(settings: Settings) -> FileStore:
    """Return the file store that the settings name; a bucket is not asked yet."""
    home = settings.home.absolute()
    if settings.files_url is None:
        from docduck.files.local_files import LocalFiles

        return LocalFiles(home / "files")
    # Imported late: the client of object stores takes 40 MB.
    from docduck.files.bucket_files import BucketFiles
    from docduck.outbound.bucket_endpoint import BucketEndpoint

    endpoint = BucketEndpoint(settings.files_url, settings.files_endpoint)
    return BucketFiles(endpoint, home / "cache" / "files", settings.file_cache_mb << 20)
