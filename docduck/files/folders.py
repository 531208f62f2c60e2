"""Folders that last."""

from __future__ import annotations

import os
from pathlib import Path


def flush_folder(folder: Path | str) -> None:
    """Flush a folder's entries to disk, so that a rename lasts."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
