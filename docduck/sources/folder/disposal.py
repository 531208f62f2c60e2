"""Moving registered files aside."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path


def move_aside(path: Path, target: Path) -> Path:
    """Move a file to ``target``, or to ``name-2.ext`` if that exists; return the new path.

    Missing folders are created; other file systems are supported. Raise OSError and leave the file in place.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    place = _reserve(target)
    try:
        path.replace(place)
    except OSError as error:
        if error.errno != errno.EXDEV:
            place.unlink()
            raise
        _copy_over(path, place)
    return place


def _reserve(target: Path) -> Path:
    """Create an empty file under a free name, reserving it."""
    number = 1
    while True:
        place = target if number == 1 else target.with_name(f"{target.stem}-{number}{target.suffix}")
        try:
            os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
        except FileExistsError:
            number += 1
        else:
            return place


def _copy_over(path: Path, place: Path) -> None:
    """Copy to another file system; delete the original once the copy is durable."""
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        shutil.copy2(path, part)
        with part.open("rb") as stream:
            os.fsync(stream.fileno())
        part.replace(place)
    except OSError:
        part.unlink(missing_ok=True)
        place.unlink(missing_ok=True)
        raise
    path.unlink()
