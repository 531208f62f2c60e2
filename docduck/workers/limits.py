"""Limits on time and memory of a task."""

from __future__ import annotations

import resource
from dataclasses import dataclass

_MOST_WRITTEN_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a task.

    It may take ``seconds`` of wall time, plus ``megabyte_seconds`` per MiB of input and ``page_seconds`` per
    reported page, but at most ``most_seconds``. ``memory_bytes`` limits what the process allocates; pages of
    libraries and models, which workers share, do not count. ``pages`` limits the reported pages, and
    ``reply_bytes`` the size of the result.
    """

    seconds: float
    memory_bytes: int
    pages: int = 2000
    page_seconds: float = 0.0
    megabyte_seconds: float = 0.0
    most_seconds: float = 86_400.0
    reply_bytes: int = 256 << 20

    def seconds_for(self, size: int, more: float = 0.0) -> float:
        """Return the time limit for ``size`` bytes of input, before the pages are known."""
        return min(self.most_seconds, self.seconds + more + self.megabyte_seconds * (size / (1 << 20)))

    def with_pages(self, seconds: float, pages: int) -> float:
        """Return the time limit ``seconds`` extended for ``pages``."""
        return min(self.most_seconds, seconds + self.page_seconds * min(max(pages, 0), self.pages))


def limit_this_process(memory_bytes: int) -> None:
    """Let the kernel limit this process's allocations and written files; disable core dumps.

    Beyond ``memory_bytes``, Python raises MemoryError and C code gets a null pointer.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for kind, most in ((resource.RLIMIT_DATA, memory_bytes), (resource.RLIMIT_FSIZE, _MOST_WRITTEN_BYTES)):
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard),) * 2)
