"""Reading files for a command in worker processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from docduck.cli.output import progress
from docduck.errors import InputError
from docduck.extraction.extraction_settings import model_seconds, read_options, worker_limits
from docduck.extraction.extractors.model.asking.endpoint import Endpoints
from docduck.extraction.jobs.document_job import DocumentTask, document_job
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.options import Mode
from docduck.settings import settings
from docduck.workers.pool import Job, WorkerPool
from docduck.workers.task_queue import TaskOutcome

if TYPE_CHECKING:
    from docduck.documents.document import Document
    from docduck.extraction.extractors.model.model_context import ModelContext

T = TypeVar("T")
R = TypeVar("R")


def check_files(files: Sequence[Path]) -> None:
    """Raise InputError unless all ``files`` exist and are files."""
    for path in files:
        if not path.is_file():
            raise InputError(
                f"{path} is a folder, not a file" if path.is_dir() else f"There is no file {path}"
            )


def each_document(
    files: Sequence[Path],
    what: str,
    work: Callable[[Document, ModelContext], R],
    result: Any,
    mode: Mode = "balanced",
    model: ModelOptions | None = None,
) -> Iterator[tuple[Path, TaskOutcome[R]]]:
    """Yield the result of ``work`` for each file, in the order of completion.

    ``what`` labels the progress bar, ``result`` is the type of the results, ``model`` the language model.
    """
    check_files(files)
    reading = read_options(settings(), mode)
    job: Job[DocumentTask[R], R] = document_job(result)
    return each_outcome(files, what, job, lambda path: DocumentTask(path.name, work, reading), model)


def each_outcome(
    files: Sequence[Path],
    what: str,
    job: Job[T, R],
    task_of: Callable[[Path], T],
    model: ModelOptions | None,
) -> Iterator[tuple[Path, TaskOutcome[R]]]:
    """Yield the outcome of the task of each file, in the order of completion."""
    now = settings()
    with (
        Endpoints([model] if model else []) as endpoints,
        progress(what, len(files)) as advance,
        WorkerPool(job, min(now.workers, len(files)), worker_limits(now)) as pool,
    ):
        more, responder = model_seconds(model), endpoints.responder([model.name] if model else [])
        for index, path in enumerate(files):
            pool.submit(f"{index}", task_of(path), [path], more_seconds=more, responder=responder)
        done = 0
        while done < len(files):
            for outcome in pool.wait():
                done += 1
                advance(done)
                yield files[int(outcome.key)], outcome
