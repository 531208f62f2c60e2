"""Files of a model's folder, for their owner alone."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from docduck.errors import InputError

T = TypeVar("T")


def private_folder(folder: Path) -> Path:
    """Create a folder for this user alone, and return it; raise InputError if it is somebody else's.

    Those above it that are missing are this user's alone, too.
    """
    if not folder.parent.exists():
        private_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    stat = folder.stat()
    if stat.st_uid != os.geteuid() or stat.st_mode & 0o022:
        raise InputError(f"{folder} is not this user's alone: remove it, or set DOCDUCK_HOME to another home")
    return folder


def write_private(path: Path, content: Any) -> None:
    """Write ``content`` as JSON, whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(content))
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def read_private(path: Path, kind: type[T]) -> T | None:
    """Return what was written; None if there is no such file, or it holds something else."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError):
        return None
