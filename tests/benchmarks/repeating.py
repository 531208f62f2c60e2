"""Work that is repeated in a thread while a block runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def repeating(work: Callable[[], object], pause: float) -> Iterator[None]:
    """Call ``work`` again and again in a thread while the block runs."""
    ended = threading.Event()

    def repeat() -> None:
        while not ended.wait(pause):
            work()

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
