"""The job of a worker process that reads a document only if it has the layout of another one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from docduck.extraction.jobs.extraction_job import ReadTask, extract, load
from docduck.extraction.jobs.heavy_imports import HEAVY
from docduck.extraction.learned_layout import LayoutFingerprint
from docduck.extraction.result import Extraction
from docduck.workers.context import Context
from docduck.workers.pool import Job


@dataclass(frozen=True, slots=True)
class AlikeTask:
    """A document to read and extract if its layout is similar to ``like``."""

    read: ReadTask
    like: LayoutFingerprint


@dataclass(frozen=True, slots=True)
class AlikeReading:
    """What is read of a document; None if its layout is another one."""

    extraction: Extraction | None


def read_if_alike(task: AlikeTask, context: Context) -> AlikeReading:
    """Read ``task``'s file if its layout is similar; raise the errors of ``read_and_extract``."""
    from docduck.extraction.extractors.learned.layout_learning import fingerprint_of
    from docduck.extraction.page.page_view import views_of

    # Of other layouts, no more than the first of the pages is read.
    first = replace(task.read, reading=replace(task.read.reading, first_only=True))
    data, document = load(first, context)
    if not fingerprint_of(views_of(document)).is_like(task.like):
        return AlikeReading(None)
    if document.page_count != 1:
        data, document = load(task.read, context)
    return AlikeReading(extract(task.read, data, document, context))


READING_ALIKE = Job(read_if_alike, AlikeReading, HEAVY)
"""Read documents that have the layout of another one."""
