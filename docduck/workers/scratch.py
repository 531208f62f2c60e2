"""Scratch folders, which exist only while their process does."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docduck.owner import is_dead, this_process

_SEPARATOR = "+"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield a private folder of this process; remove it at the end.

    Folders of dead processes of this user are removed, too.
    """
    root = Path(tempfile.gettempdir()) / f"docduck-{os.getuid()}"
    root.mkdir(mode=0o700, exist_ok=True)
    # Another user may have made this folder first, to read or replace what is written into it.
    if root.stat().st_uid != os.getuid() or root.stat().st_mode & 0o077:
        raise PermissionError(f"{root} is not this user's alone: remove it")
    for left in root.iterdir():
        if is_dead(left.name.replace(_SEPARATOR, "/")):
            shutil.rmtree(left, ignore_errors=True)
    folder = root / this_process().replace("/", _SEPARATOR)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
