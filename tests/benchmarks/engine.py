"""The bare engine: the pool of workers, without catalog, warehouse or Dagster around it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from docduck.extraction.jobs.extraction_job import EXTRACTION, ReadTask, pack_fields
from docduck.extraction.result import Extraction
from docduck.fields import Field
from docduck.workers.limits import Limits
from docduck.workers.pool import WorkerPool


@dataclass
class BareEngine:
    """Reads files in a pool; times add up, so that it can be measured in turns with something else.

    ``seconds`` are on the wall, ``processor`` those of all processors in this process and its workers.
    """

    pool: WorkerPool[ReadTask, Extraction | None]
    fields: bytes
    seconds: float = 0.0
    processor: float = 0.0

    def read(self, paths: Sequence[Path]) -> None:
        """Read the files. Raises when one could not be read."""
        begin, spent = time.perf_counter(), self._processor()
        for path in paths:
            self.pool.submit(path.name, ReadTask(path.name, self.fields), [path])
        left = len(paths)
        while left:
            for outcome in self.pool.wait():
                left -= 1
                if outcome.error is not None:
                    raise outcome.error
        self.seconds += time.perf_counter() - begin
        self.processor += self._processor() - spent

    def _processor(self) -> float:
        """Processor seconds so far of this process and of all below it, alive and gone."""
        total = 0.0
        for process in (own := psutil.Process(), *own.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                total += sum(process.cpu_times()[:4])
        return total


@contextmanager
def bare_engine(fields: Sequence[Field], workers: int) -> Iterator[BareEngine]:
    """A bare engine whose workers start with its first files."""
    with WorkerPool(EXTRACTION, workers, Limits(seconds=60, memory_bytes=1500 << 20)) as pool:
        yield BareEngine(pool, pack_fields(fields))
