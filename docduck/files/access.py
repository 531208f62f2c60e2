"""Access rights: everything is private to its owner, except that a group may read the published tables."""

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
    """Make files and folders of this process and its children private to their owner."""
    os.umask(0o077)


def make_home(home: Path, group: str | None = None) -> None:
    """Create the home folder, or make it private; members of ``group`` may traverse it.

    Raise OSError if it can't be created, InputError for an unknown group.
    """
    home.mkdir(mode=_OWNER, parents=True, exist_ok=True)
    result = home.stat()
    if result.st_uid == os.geteuid():
        _give(home, result.st_mode & _OWNER, _GROUP_PASSES, group)


def share_file(path: Path, group: str | None) -> None:
    """Allow members of ``group`` to read the file; without a group, only its owner."""
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
    mode = owner if group is None else owner | shared
    if stat.S_IMODE(path.stat().st_mode) != mode:
        path.chmod(mode)
