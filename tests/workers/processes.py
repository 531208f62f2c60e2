"""The worker processes of the process that tests run in."""

from __future__ import annotations

import psutil


def workers() -> int:
    """How many there are: the children of the fork server, which stays."""
    this = psutil.Process()
    return len(this.children(recursive=True)) - len(this.children())
