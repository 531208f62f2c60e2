"""What pages of documents are drawn and read from, in a side worker."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import select

from docduck.catalog.models import DocumentResult, Parser
from docduck.documents.detection.file_types import labels
from docduck.documents.read_options import ReadOptions
from docduck.errors import DocumentError, NotFound, Transient
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.jobs.page_job import PAGE_VIEW, PageTask, PageView
from docduck.service.core.installation import Installation
from docduck.service.documents.file_passwords import kept_prefix, password_of
from docduck.service.documents.queries.document_lookup import find_document
from docduck.service.parsers.parser_settings import read_settings, reading_of
from docduck.service.previews.preview_cache import kept_or_made
from docduck.workers.pool import WorkerPool

PREVIEW_SECONDS = 20
"""For drawing a page or thumbnail, or for reading a page's words."""
VIEW_SECONDS = 30
"""The same, with the wait for a turn."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PageSource:
    """What a document's pages are made of.

    ``turns`` are the degrees by which pages were turned when they were read, by number. ``page_count`` is
    None until the document was read. ``prefix`` begins the names of what is kept.
    """

    team_id: str
    document_id: str
    sha256: str
    name: str
    page_count: int | None
    turns: Mapping[int, float]
    reading: ReadOptions
    prefix: str = ""

    @property
    def reading_key(self) -> str:
        """A text that tells how pages are read, whichever are selected."""
        return hashlib.sha256(repr(replace(self.reading, pages=None)).encode()).hexdigest()[:16]

    def check(self, number: int) -> None:
        """Raise NotFound for a page that doesn't exist."""
        if number < 1 or number > (self.page_count or number):
            raise _no_page(self.document_id)


def has_pages(content_type: str) -> bool:
    """Return whether files of a type are shown as pages."""
    return content_type in labels()


def page_source(
    inst: Installation, team_id: str, document_id: str, parser_id: str | None = None
) -> PageSource:
    """Return what the pages of a document, of the parser if given, are made of.

    Raise NotFound, also for a document without pages, and InputError for a document of another parser.
    """
    with inst.catalog.read_session() as session:
        document = find_document(session, team_id, parser_id, document_id)
        pages = session.scalar(select(DocumentResult.pages).where(DocumentResult.document_id == document.id))
        parser = session.get(Parser, document.parser_id) if document.parser_id else None
        reading = (
            reading_of(read_settings(parser.settings), inst.settings) if parser is not None else ReadOptions()
        )
        if not has_pages(document.content_type):
            raise _no_page(document.id)
        return PageSource(
            document.team_id,
            document.id,
            document.sha256,
            document.file_name,
            document.page_count,
            {page["number"]: page.get("turn", 0.0) for page in pages or ()},
            replace(reading, password=password_of(inst.settings, document.id, document.sealed_password)),
            kept_prefix(document.sealed_password),
        )


def kept_view(
    inst: Installation,
    source: PageSource,
    name: str,
    task: PageTask,
    content: Callable[[PageView], bytes],
    seconds: float = VIEW_SECONDS,
) -> bytes:
    """Return what is kept under ``name`` of a document, first made of a page by ``content``.

    Raise the errors of ``view_page``.
    """
    return kept_or_made(
        inst, source.sha256, f"{source.prefix}{name}", lambda: content(view_page(inst, source, task, seconds))
    )


def view_page(inst: Installation, source: PageSource, task: PageTask, seconds: float) -> PageView:
    """Return what is asked for of a page.

    Raise NotFound if it can't be shown, and Transient, also if it takes longer than ``seconds``.
    """
    end = time.monotonic() + seconds
    limits = worker_limits(inst.settings, PREVIEW_SECONDS)
    workers = inst.picture_workers
    with workers.pool("pages", source.team_id, lambda: WorkerPool(PAGE_VIEW, 1, limits), seconds) as pool:
        pool.submit(source.document_id, task, [inst.files.local(source.sha256)])
        outcomes = pool.wait(max(0.0, end - time.monotonic()))
        if not outcomes:
            raise Transient(f"Page {task.number} can't be shown in {seconds:.0f} s; try again later")
        (outcome,) = outcomes
    if outcome.result is not None:
        return outcome.result
    if outcome.error is not None and not isinstance(outcome.error, DocumentError):
        raise outcome.error
    _log.warning("page %d of document %s can't be shown: %s", task.number, source.document_id, outcome.error)
    raise _no_page(source.document_id, outcome.error.message if outcome.error else "")


def _no_page(document_id: str, reason: str = "") -> NotFound:
    words = f"The page can't be shown: {reason}" if reason else "There is no such page to show"
    return NotFound(words, "documentId", document_id)
