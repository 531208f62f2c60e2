"""The environment of a job."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import mkdtemp

from docduck.errors import NO_SPACE, DiskFull

Ask = Callable[[bytes, float], bytes]


class Context:
    """Inputs and outputs of a task, and the connection to its pool.

    A job has no access to other files or the network. ``deadline`` is the end of its time limit, by the
    monotonic clock; ``ask``, which is None without a pool, sends a question to it, waits for the answer, and
    raises Transient if there is none in time.
    """

    def __init__(
        self,
        inputs: Sequence[int] = (),
        outputs: Path | None = None,
        seconds: float = math.inf,
        page_seconds: float = 0.0,
        report_pages: Callable[[int], None] | None = None,
        ask: Ask | None = None,
    ) -> None:
        self._inputs = inputs
        self._page_seconds = page_seconds
        self._report_pages = report_pages
        self.deadline = time.monotonic() + seconds
        self.ask = ask
        self._outputs = outputs

    def read(self, number: int = 0) -> bytes:
        """Return the content of the ``number``th input file."""
        descriptor = self._inputs[number]
        size = os.fstat(descriptor).st_size
        parts: list[bytes] = []
        at = 0
        while at < size and (part := os.pread(descriptor, size - at, at)):
            parts.append(part)
            at += len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def write(self, name: str, content: bytes) -> None:
        """Write an output file; ``name`` has no folders. Raise DiskFull."""
        if self._outputs is None:
            self._outputs = Path(mkdtemp())
        try:
            self._outputs.mkdir(exist_ok=True)
            (self._outputs / name).write_bytes(content)
        except OSError as error:
            if error.errno in NO_SPACE:
                raise DiskFull("the disk of temporary files is full") from error
            raise

    def pages(self, count: int) -> None:
        """Report the number of pages to read, which extends the time limit."""
        self.deadline += self._page_seconds * count
        if self._report_pages is not None:
            self._report_pages(count)
