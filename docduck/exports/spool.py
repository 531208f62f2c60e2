"""Parts of a file that wait on disk, beyond a megabyte, until their turn comes."""

from __future__ import annotations

import shutil
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

_IN_MEMORY_BYTES = 1 << 20


def open_spool() -> BinaryIO:
    """A temporary file that is gone once closed."""
    return cast(BinaryIO, SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES))


def pour(spool: BinaryIO, target: BinaryIO) -> None:
    """Copy all of ``spool`` to ``target``."""
    spool.seek(0)
    shutil.copyfileobj(spool, target)


def zip_entry(name: str) -> ZipInfo:
    """A compressed file of a ZIP, dated as ZIP's beginning of time, so that equal exports are equal."""
    entry = ZipInfo(name)
    entry.compress_type = ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def pour_into_zip(spool: BinaryIO, archive: ZipFile, name: str) -> None:
    """Add all of ``spool`` to ``archive`` as the file ``name``."""
    entry = zip_entry(name)
    entry.file_size = spool.seek(0, 2)  # so that ZIP64 is used only where it must be
    with archive.open(entry, "w") as file:
        pour(spool, cast(BinaryIO, file))
