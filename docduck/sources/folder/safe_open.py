"""Safe opening of files that others have put into a folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from docduck.errors import InputError
from docduck.sources.folder.walk import FoundFile, is_inside


class UnsafeFile(InputError):
    """The file may not be read; the message continues after its name."""


@contextmanager
def open_inside(path: Path, bounds: Path) -> Iterator[BinaryIO]:
    """Open the regular file at ``path`` for reading, without blocking on pipes.

    The open file is checked, not its name, so that a link created at the last moment has no effect. Raise
    NotTaken if it is no regular file or outside of ``bounds``, and OSError.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with open(descriptor, "rb") as stream:  # noqa: PTH123 - an open descriptor, not a path
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnsafeFile("is not a regular file; remove it")
        limit, real = os.path.realpath(bounds), os.path.realpath(path, strict=True)
        if not is_inside(real, limit) or not os.path.samestat(status, os.lstat(real)):
            raise UnsafeFile(f"is a link that leads out of {limit}; replace it with the file")
        yield stream


def found_file(stream: BinaryIO, path: str) -> FoundFile:
    """Return the open file as a walk would find it."""
    status = os.fstat(stream.fileno())
    return FoundFile(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
