"""Fields that a sample document could be read for (contract J), found in a worker process."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from docduck.errors import DocumentError, InputError, Transient, UnsupportedFile, UnsupportedType
from docduck.extraction.from_settings import worker_limits
from docduck.extraction.jobs.document_job import DocumentTask, document_pool
from docduck.fields import Field
from docduck.service.core.installation import Installation
from docduck.service.documents.document_lookup import get_parser_document
from docduck.service.parsers.parser_settings import read_settings, reading_of
from docduck.service.parsers.parsers import get_parser
from docduck.workers.pool import WorkerPool

if TYPE_CHECKING:
    from docduck.documents.document import Document
    from docduck.extraction.extractors.model.aids import Aids

_MOST_WAITING = 4


class FieldSuggestions:
    """Looks at samples for the threads of one process, one at a time, in a worker process.

    Threads may call it at the same time. A sample is read as its parser reads documents.
    """

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._looking = threading.Lock()
        self._room = threading.BoundedSemaphore(_MOST_WAITING)

    def from_document(self, team_id: str, parser_id: str, document_id: str) -> list[Field]:
        """Fields found on a document of the parser.

        Raises NotFound, InputError for a document of another parser, and what ``from_file`` raises.
        """
        with self._inst.catalog.read_session() as session:
            document = get_parser_document(session, team_id, parser_id, document_id)
            path, name = self._inst.files.path(document.sha256), document.file_name
        return self.from_file(team_id, parser_id, path, name)

    def from_file(self, team_id: str, parser_id: str, path: Path, name: str) -> list[Field]:
        """Fields found on a file; ``name`` is what its sender called it.

        Raises NotFound for the parser, UnsupportedType or InputError for a file that can't be read, and
        Transient when too many are waiting already.
        """
        parser = get_parser(self._inst, team_id, parser_id)
        reading = reading_of(read_settings(parser.settings), self._inst.settings)
        if not self._room.acquire(blocking=False):
            raise Transient("Too many samples are being looked at; try again in some seconds")
        try:
            with self._looking:
                return self._look(DocumentTask(name, _suggest, reading), path)
        finally:
            self._room.release()

    def _look(self, task: DocumentTask[list[Field]], path: Path) -> list[Field]:
        seconds = self._inst.settings.suggest_seconds
        limits = replace(worker_limits(self._inst.settings), seconds=seconds, most_seconds=seconds)

        def make() -> WorkerPool[DocumentTask[list[Field]], list[Field]]:
            return document_pool(list[Field], 1, limits)

        with self._inst.side_workers.pool("samples", make) as pool:
            pool.submit(task.name, task, [path])
            (outcome,) = pool.wait()
        error = outcome.error
        if isinstance(error, UnsupportedFile):
            raise UnsupportedType(error.content_type or "unknown") from error
        if isinstance(error, DocumentError):
            raise InputError(f"{task.name}: {error.message}", "file") from error
        if error is not None:
            raise error
        return outcome.result or []


def _suggest(document: Document, aids: Aids) -> list[Field]:
    from docduck.extraction.suggest import suggest_fields

    return suggest_fields(document)
