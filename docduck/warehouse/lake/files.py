"""The objects of a lake as files that DuckDB opens, which has no keys and no connections of its own."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Protocol

from fsspec.spec import AbstractFileSystem

from docduck.outbound.object_store import ObjectGone, StoreUnavailable

SCHEME = "lake"
TABLES = "tables/"
"""The beginning of the names of objects that are files of tables."""

_IN_MEMORY = 4 * 2**20


class Objects(Protocol):
    """What stores the files; see ``Bucket``."""

    def size(self, name: str) -> int: ...
    def read(self, name: str, start: int, end: int) -> bytes: ...
    def write(self, name: str, content: IO[bytes]) -> None: ...
    def delete(self, name: str) -> None: ...
    def names(self, prefix: str) -> Iterator[str]: ...


class LakeFiles(AbstractFileSystem):  # type: ignore[misc]
    """The files of the lake at ``url``, as ``lake://bucket/prefix/tables/…``.

    DuckDB hides which error a file system raised: ``failure`` is the last one.
    """

    protocol = SCHEME
    cachable = False

    def __init__(self, url: str, objects: Objects) -> None:
        super().__init__()
        self.root = f"{SCHEME}://{url.partition('://')[2].strip('/')}/"
        self.data_path = self.root + TABLES
        self.objects = objects
        self.failure: Exception | None = None

    def open(self, path: str, mode: str = "rb", **_: Any) -> Any:
        """Open a file for reading, or a new one for writing."""
        name = self._name(path)
        return _NewFile(self, name) if "w" in mode else _File(self, name)

    def isfile(self, path: str) -> bool:
        """Return whether it is a file by its name: DuckLake knows which ones there are."""
        return path.endswith(".parquet")

    def isdir(self, path: str) -> bool:
        """Return whether it is a folder by its name: a bucket needs none."""
        return not self.isfile(path)

    def glob(self, path: str, maxdepth: int | None = None, **_: Any) -> list[str]:
        """Return all files of tables, which is all that DuckLake asks for."""
        with self.noting():
            return [self.root + name for name in self.objects.names(TABLES)]

    def size(self, path: str) -> int:
        """Return the bytes of a file."""
        with self.noting():
            return self.objects.size(self._name(path))

    def modified(self, path: str) -> dt.datetime:
        """Return the same moment for all: files never change."""
        return dt.datetime(2000, 1, 1, tzinfo=dt.UTC)

    def rm(self, path: str, recursive: bool = False, maxdepth: int | None = None) -> None:
        """Delete a file."""
        with self.noting():
            self.objects.delete(self._name(path))

    rm_file = rm

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Keep the failure of a request, and raise OSError, which DuckDB can take."""
        try:
            yield
        except (StoreUnavailable, ObjectGone) as error:
            self.failure = error
            raise OSError("the object store failed") from error

    def _name(self, path: str) -> str:
        return path.removeprefix(self.root)


class _File:
    """A file that is read by ranges, which DuckDB knows to be within it."""

    def __init__(self, files: LakeFiles, name: str) -> None:
        self._files, self._name, self._at = files, name, 0

    def seek(self, offset: int) -> None:
        self._at = offset

    def tell(self) -> int:
        return self._at

    def read(self, count: int) -> bytes:
        with self._files.noting():
            data = self._files.objects.read(self._name, self._at, self._at + count)
        self._at += len(data)
        return data

    def close(self) -> None:
        return


class _NewFile:
    """A file that is stored when it is closed; until then it is on this machine."""

    def __init__(self, files: LakeFiles, name: str) -> None:
        self._files, self._name = files, name
        self._content = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115

    def write(self, data: bytes) -> int:
        return self._content.write(data)

    def tell(self) -> int:
        return self._content.tell()

    def close(self) -> None:
        if not self._content.closed:
            with self._content, self._files.noting():
                self._content.seek(0)
                self._files.objects.write(self._name, self._content)
