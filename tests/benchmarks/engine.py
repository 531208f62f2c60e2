"""The bare engine: the pool of workers, without catalog, warehouse or Dagster around it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from docduck.extraction.job import ReadTask, pack_fields, reading_pool
from docduck.extraction.pool import Limits, WorkerPool
from docduck.extraction.result import Extraction
from docduck.fields import Field


@dataclass
class BareEngine:
    """Reads files in a pool; ``seconds`` adds up, so that it can be measured in turns with something else."""

    pool: WorkerPool[ReadTask, Extraction]
    fields: bytes
    seconds: float = 0.0
    documents: int = 0

    def read(self, paths: Sequence[Path]) -> float:
        """Read the files; gives the seconds they took. Raises when one could not be read."""
        begin = time.perf_counter()
        for path in paths:
            self.pool.submit(path.name, ReadTask(path, path.name, self.fields))
        left = len(paths)
        while left:
            for outcome in self.pool.wait():
                left -= 1
                if outcome.error is not None:
                    raise outcome.error
        seconds = time.perf_counter() - begin
        self.seconds += seconds
        self.documents += len(paths)
        return seconds


@contextmanager
def bare_engine(fields: Sequence[Field], workers: int) -> Iterator[BareEngine]:
    """A bare engine whose workers start with its first files."""
    with reading_pool(workers, Limits(seconds=60, memory_bytes=1500 << 20)) as pool:
        yield BareEngine(pool, pack_fields(fields))
