"""Who may read what docduck keeps: its owner alone, and a group the published tables, if one is named."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from docduck.errors import InputError

_OWNER = 0o700
_GROUP_PASSES = 0o010
_FILE = 0o600
_GROUP_READS = 0o040


def keep_private() -> None:
    """Have this process, and those that it starts, make files and folders for their owner alone."""
    os.umask(0o077)


def make_home(home: Path, group: str | None = None) -> None:
    """Make the home folder, or close one that others may look into; members of ``group`` may pass it.

    Raise OSError when it can't be made, InputError for an unknown group.
    """
    home.mkdir(mode=_OWNER, parents=True, exist_ok=True)
    found = home.stat()
    if found.st_uid == os.geteuid():
        _give(home, found.st_mode & _OWNER, _GROUP_PASSES, group)


def share_file(path: Path, group: str | None) -> None:
    """Let members of ``group`` read the file, and nobody but its owner without one."""
    _give(path, _FILE, _GROUP_READS, group)


def _give(path: Path, owner: int, shared: int, group: str | None) -> None:
    if group is not None:
        try:
            shutil.chown(path, group=group)
        except (LookupError, PermissionError) as error:
            raise InputError(
                f"{path} can't be given to the group '{group}': it must exist, and docduck's user be in it",
                "DOCDUCK_ANALYTICS_GROUP",
            ) from error
    wanted = owner if group is None else owner | shared
    if stat.S_IMODE(path.stat().st_mode) != wanted:
        path.chmod(wanted)
