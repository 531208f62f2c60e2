"""Opening a file that somebody put into a folder, without being led astray by it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from docduck.errors import InputError
from docduck.sources.folder.walk import Found, is_inside


class NotTaken(InputError):
    """The file is not one that may be taken; the message goes on after its name."""


@contextmanager
def open_inside(path: Path, bounds: Path) -> Iterator[BinaryIO]:
    """The regular file at ``path``, opened for reading; never waits, as a pipe would make it.

    What is open is checked, not the name: a link that is put there at the last moment leads nowhere.
    Raises NotTaken for what is no regular file or lies outside ``bounds``, OSError for the rest.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with open(descriptor, "rb") as stream:  # noqa: PTH123 - an open descriptor, not a path
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotTaken("is not a regular file; remove it")
        limit, real = os.path.realpath(bounds), os.path.realpath(path, strict=True)
        if not is_inside(real, limit) or not os.path.samestat(status, os.lstat(real)):
            raise NotTaken(f"is a link that leads out of {limit}; replace it with the file")
        yield stream


def seen(stream: BinaryIO, path: str) -> Found:
    """The open file as a scan would see it now."""
    status = os.fstat(stream.fileno())
    return Found(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
