"""Temporary files, in memory up to a megabyte."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, Self, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

_IN_MEMORY_BYTES = 1 << 20
_BATCH = 500


def open_spool() -> BinaryIO:
    """Return a temporary file that is deleted when closed."""
    return cast(BinaryIO, SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES))


class RowSpool:
    """Rows that are kept until they are read, once; pickled, as nobody else can write to the file."""

    def __init__(self) -> None:
        self._file = open_spool()
        self._batch: list[list[Any]] = []
        self._batches = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, row: list[Any]) -> None:
        """Keep a row."""
        self._batch.append(row)
        if len(self._batch) == _BATCH:
            self._keep()

    def __iter__(self) -> Iterator[list[Any]]:
        self._keep()
        self._file.seek(0)
        for _ in range(self._batches):
            yield from pickle.load(self._file)

    def _keep(self) -> None:
        pickle.dump(self._batch, self._file, pickle.HIGHEST_PROTOCOL)
        self._batch = []
        self._batches += 1


def copy_file(file: BinaryIO, target: BinaryIO) -> None:
    """Copy all of ``file`` to ``target``."""
    file.seek(0)
    shutil.copyfileobj(file, target)


def zip_entry(name: str, compress: bool = True) -> ZipInfo:
    """Return a ZIP entry with ZIP's earliest date, so that equal exports are identical."""
    entry = ZipInfo(name)
    entry.compress_type = ZIP_DEFLATED if compress else ZIP_STORED
    entry.external_attr = 0o644 << 16
    return entry


def add_to_zip(file: BinaryIO, archive: ZipFile, name: str, compress: bool = True) -> None:
    """Add all of ``file`` to ``archive`` as the file ``name``."""
    entry = zip_entry(name, compress)
    entry.file_size = file.seek(0, 2)  # ZIP64 only where necessary.
    with archive.open(entry, "w") as target:
        copy_file(file, cast(BinaryIO, target))
