"""What one task may use of time and memory."""

from __future__ import annotations

import resource
from dataclasses import dataclass

_MOST_WRITTEN_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of a task.

    It may take ``seconds`` of wall clock, ``megabyte_seconds`` more for each MiB of its inputs and
    ``page_seconds`` for each page that it says it reads, but never more than ``most_seconds``.
    ``memory_bytes`` is the resident memory of its process, ``pages`` how many pages it may say, and
    ``reply_bytes`` the size of its result on the way.
    """

    seconds: float
    memory_bytes: int
    pages: int = 2000
    page_seconds: float = 0.0
    megabyte_seconds: float = 0.0
    most_seconds: float = 86_400.0
    reply_bytes: int = 256 << 20

    @property
    def data_bytes(self) -> int:
        """Memory that may be allocated: more than may be resident, as some is never touched."""
        return self.memory_bytes + self.memory_bytes // 2

    def seconds_for(self, size: int, more: float = 0.0) -> float:
        """Return the time of a task with ``size`` bytes of inputs, before its pages are known."""
        return min(self.most_seconds, self.seconds + more + self.megabyte_seconds * (size / (1 << 20)))

    def with_pages(self, seconds: float, pages: int) -> float:
        """Return the time of a task that has ``seconds`` without its ``pages``."""
        return min(self.most_seconds, seconds + self.page_seconds * min(max(pages, 0), self.pages))


def limit_this_process(data_bytes: int) -> None:
    """Have the kernel bound what this process allocates and writes, and keep no core dumps.

    Past ``data_bytes`` Python gets MemoryError and C code a null pointer.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for kind, most in ((resource.RLIMIT_DATA, data_bytes), (resource.RLIMIT_FSIZE, _MOST_WRITTEN_BYTES)):
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard),) * 2)
