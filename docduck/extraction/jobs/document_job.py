"""The job of worker processes that read a file and classify it, split it or suggest fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from docduck.documents.read_options import ReadOptions
from docduck.extraction.jobs.extraction_job import read_file
from docduck.extraction.result import Extraction
from docduck.workers.context import Context
from docduck.workers.pool import Job

if TYPE_CHECKING:
    from docduck.documents.document import Document
    from docduck.extraction.extractors.model.model_context import ModelContext
    from docduck.extraction.model_options import ModelOptions

R = TypeVar("R")

_HEAVY = ("docduck.documents.reader",)


@dataclass(frozen=True, slots=True)
class DocumentTask(Generic[R]):
    """A file to read, the first input, and ``work`` to do with it: a module-level function, or a partial."""

    name: str
    work: Callable[[Document, ModelContext], R]
    reading: ReadOptions = field(default_factory=ReadOptions)


def read_and_work(task: DocumentTask[R], context: Context) -> R:
    """Read ``task``'s file and do its work.

    Raise the DocumentErrors of ``docduck.documents.reader.read``.
    """
    from docduck.extraction.extractors.model.model_context import ModelContext

    data, document = read_file(task.name, task.reading, context)
    return task.work(document, ModelContext.for_task(data, task, context))


def suggest(document: Document, model: ModelContext) -> Extraction:
    """Return the suggested ``fields`` of a sample, and what they read from it."""
    from docduck.extraction.suggest.suggester import read_suggestions

    return read_suggestions(document)


def suggest_with_model(document: Document, context: ModelContext, model: ModelOptions) -> Extraction:
    """Return the suggestions of ``suggest`` with those of a language model."""
    from docduck.extraction.suggest.model_suggestions import with_model_suggestions

    return with_model_suggestions(suggest(document, context), document, model, context)


def document_job(result: Any) -> Job[DocumentTask[R], R]:
    """Return the job of such tasks, each with a ``result`` of that type."""
    return Job(read_and_work, result, _HEAVY)
