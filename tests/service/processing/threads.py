"""Work of several threads at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable


def at_once(*work: Callable[[], object]) -> None:
    """Do each in a thread of its own, and wait until all have ended."""
    threads = [threading.Thread(target=one) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
