"""Durable changes of folders."""

from __future__ import annotations

import os
from pathlib import Path


def flush_folder(folder: Path | str) -> None:
    """Flush a folder's entries to disk, to make a rename durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
