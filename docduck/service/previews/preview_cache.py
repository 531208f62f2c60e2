"""Pictures and words of pages, kept because making them takes long; in the home's ``cache`` folder.

What was made from a content is in ``cache/<the first two characters of its SHA-256>/<SHA-256>/``.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from docduck.ids import new_id
from docduck.service.core.installation import Installation

KEEP_DAYS = 30

_DAY_SECONDS = 24 * 3600


def cache_path(inst: Installation, sha256: str, name: str) -> Path:
    """Return the path of what is kept under a name of the content with this SHA-256."""
    return _folder_of(inst, sha256) / name


def kept_or_made(inst: Installation, sha256: str, name: str, make: Callable[[], bytes]) -> bytes:
    """Return what is kept under a name of a content; first make it if there is nothing."""
    path = cache_path(inst, sha256, name)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        made = make()
        # It is made again where it can't be kept: the folder may just be swept, or the disk be full.
        with suppress(OSError):
            keep(path, made)
        return made


def keep(path: Path, content: bytes) -> None:
    """Keep a file; it appears whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{new_id()}")
    try:
        aside.write_bytes(content)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def forget(inst: Installation, sha256: str) -> None:
    """Delete everything that was made from a content."""
    shutil.rmtree(_folder_of(inst, sha256), ignore_errors=True)


def sweep_cache(inst: Installation) -> int:
    """Delete old files, and the oldest ones while the cache is too large; return how many."""
    before = time.time() - KEEP_DAYS * _DAY_SECONDS
    files: list[tuple[float, int, Path]] = []
    # Not those of ``cache/files``, where a bucket's files have a limit of their own.
    for path in _cache(inst).glob("??/*/*"):
        with suppress(FileNotFoundError):
            if path.is_file():
                facts = path.stat()
                files.append((facts.st_mtime, facts.st_size, path))
    total, removed = sum(size for _, size, _ in files), 0
    for moment, size, path in sorted(files):
        if moment >= before and total <= inst.settings.preview_cache_mb << 20:
            break
        path.unlink(missing_ok=True)
        with suppress(OSError):
            path.parent.rmdir()
        total -= size
        removed += 1
    return removed


def _cache(inst: Installation) -> Path:
    return inst.settings.home.absolute() / "cache"


def _folder_of(inst: Installation, sha256: str) -> Path:
    return _cache(inst) / sha256[:2] / sha256
