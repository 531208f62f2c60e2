"""The job of worker processes that read a file and do one thing with the document: sort, split, suggest."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from docduck.documents.options import ReadOptions
from docduck.extraction.job import deadline_in, read_file
from docduck.extraction.pool import Limits, WorkerPool

if TYPE_CHECKING:
    from docduck.documents.model import Document
    from docduck.extraction.model.aids import Aids

R = TypeVar("R")

_HEAVY = ("docduck.documents.reader",)


@dataclass(frozen=True, slots=True)
class DocumentTask(Generic[R]):
    """A file to read, and ``work`` to do with it: a module-level function, or a partial of one."""

    path: Path
    name: str
    work: Callable[[Document, Aids], R]
    reading: ReadOptions = field(default_factory=ReadOptions)


def read_and_work(task: DocumentTask[R], pages: int, seconds: float = math.inf) -> R:
    """Read ``task``'s file, at most ``pages`` pages of it, and do its work.

    Raises the DocumentErrors of ``docduck.documents.reader.read``.
    """
    from docduck.extraction.model.aids import Aids

    deadline = deadline_in(seconds)
    data, document = read_file(task.path, task.name, task.reading, pages)
    return task.work(document, Aids.for_file(data, deadline))


def document_pool(workers: int, limits: Limits) -> WorkerPool[DocumentTask[R], R]:
    """A pool whose workers do such tasks."""
    job = partial(read_and_work, pages=limits.pages, seconds=limits.seconds)
    return WorkerPool(job, workers, limits, preload=_HEAVY)
