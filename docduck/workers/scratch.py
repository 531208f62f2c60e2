"""Scratch folders, which exist only while their process does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docduck.owner import is_dead, temporary_folder, this_process

_SEPARATOR = "+"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield a private folder of this process; remove it at the end.

    Folders of dead processes of this user are removed, too. Raise DocduckError as ``temporary_folder``.
    """
    root = temporary_folder()
    for left in root.iterdir():
        if is_dead(left.name.replace(_SEPARATOR, "/")):
            shutil.rmtree(left, ignore_errors=True)
    folder = root / this_process().replace("/", _SEPARATOR)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
