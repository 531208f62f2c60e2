"""Reading files for a command, in worker processes, and what to print of those that can't be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from docduck.cli.output import progress
from docduck.errors import InputError
from docduck.extraction.configured import read_options, worker_limits
from docduck.extraction.document_job import DocumentTask, document_pool
from docduck.extraction.pool import Outcome, WorkerPool
from docduck.settings import settings

if TYPE_CHECKING:
    from docduck.documents.model import Document
    from docduck.extraction.model.aids import Aids

R = TypeVar("R")


def check_files(files: Sequence[Path]) -> None:
    """Raise InputError unless all ``files`` are."""
    for path in files:
        if not path.is_file():
            raise InputError(
                f"{path} is a folder, not a file" if path.is_dir() else f"There is no file {path}"
            )


def each_document(
    files: Sequence[Path], what: str, work: Callable[[Document, Aids], R]
) -> Iterator[tuple[Path, Outcome[R]]]:
    """What ``work`` makes of each file, in the order in which they are done; ``what`` heads the progress."""
    check_files(files)
    now = settings()
    reading = read_options(now)
    workers: WorkerPool[DocumentTask[R], R] = document_pool(min(now.workers, len(files)), worker_limits(now))
    done = 0
    with workers as pool, progress(what, len(files)) as advance:
        for index, path in enumerate(files):
            pool.submit(f"{index}", DocumentTask(path.absolute(), path.name, work, reading))
        while done < len(files):
            for outcome in pool.wait():
                done += 1
                advance(done)
                yield files[int(outcome.key)], outcome
