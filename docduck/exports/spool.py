"""Temporary files, in memory up to a megabyte."""

from __future__ import annotations

import shutil
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

_IN_MEMORY_BYTES = 1 << 20


def open_spool() -> BinaryIO:
    """Return a temporary file that is deleted when closed."""
    return cast(BinaryIO, SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES))


def copy_spool(spool: BinaryIO, target: BinaryIO) -> None:
    """Copy all of ``spool`` to ``target``."""
    spool.seek(0)
    shutil.copyfileobj(spool, target)


def zip_entry(name: str) -> ZipInfo:
    """Return a compressed ZIP entry with ZIP's earliest date, so that equal exports are identical."""
    entry = ZipInfo(name)
    entry.compress_type = ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def add_to_zip(spool: BinaryIO, archive: ZipFile, name: str) -> None:
    """Add all of ``spool`` to ``archive`` as the file ``name``."""
    entry = zip_entry(name)
    entry.file_size = spool.seek(0, 2)  # ZIP64 only where necessary.
    with archive.open(entry, "w") as file:
        copy_spool(spool, cast(BinaryIO, file))
