"""Reading files for a command in worker processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from docduck.cli.output import progress
from docduck.errors import InputError
from docduck.extraction.extraction_settings import read_options, worker_limits
from docduck.extraction.extractors.model.endpoint import responder
from docduck.extraction.jobs.document_job import DocumentTask, document_job
from docduck.extraction.model_options import ModelOptions
from docduck.settings import settings
from docduck.workers.pool import WorkerPool
from docduck.workers.task_queue import TaskOutcome

if TYPE_CHECKING:
    from docduck.documents.document import Document
    from docduck.extraction.extractors.model.model_context import ModelContext

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
    model: ModelOptions | None = None,
) -> Iterator[tuple[Path, TaskOutcome[R]]]:
    """Yield the result of ``work`` for each file, in the order of completion.

    ``what`` labels the progress bar, ``result`` is the type of the results, ``model`` the language model.
    """
    check_files(files)
    now = settings()
    reading, limits = read_options(now), worker_limits(now)
    done = 0
    with responder(model) as respond, progress(what, len(files)) as advance:
        workers: WorkerPool[DocumentTask[R], R]
        workers = WorkerPool(document_job(result), min(now.workers, len(files)), limits, responder=respond)
        with workers as pool:
            for index, path in enumerate(files):
                task = DocumentTask(path.name, work, reading)
                pool.submit(f"{index}", task, [path], may_ask=respond is not None)
            while done < len(files):
                for outcome in pool.wait():
                    done += 1
                    advance(done)
                    yield files[int(outcome.key)], outcome
