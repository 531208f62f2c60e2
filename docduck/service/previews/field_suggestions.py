"""Suggestions of fields from a sample document, made in a worker process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from docduck.errors import DocumentError, InputError, UnsupportedFile, UnsupportedType
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.jobs.document_job import DocumentTask, document_job
from docduck.extraction.result import Extraction
from docduck.fields import Field
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_lookup import get_parser_document
from docduck.service.parsers.parser_settings import read_settings, reading_of
from docduck.service.parsers.parsers import get_parser
from docduck.workers.pool import WorkerPool

if TYPE_CHECKING:
    from docduck.documents.document import Document
    from docduck.extraction.extractors.model.model_context import ModelContext

SUGGEST_SECONDS = 60


class FieldSuggestions:
    """Suggest fields from samples; safe to call from several threads.

    A sample is read with its parser's settings.
    """

    def __init__(self, inst: Installation) -> None:
        self._inst = inst

    def from_document(self, team_id: str, parser_id: str, document_id: str) -> list[Field]:
        """Return suggestions from a document of the parser; raise the errors of ``read_document``."""
        return list(self.read_document(team_id, parser_id, document_id).fields)

    def from_file(self, team_id: str, parser_id: str, sha256: str, name: str) -> list[Field]:
        """Return suggestions from a stored file; ``name`` is the sender's name for it.

        Raise NotFound for the parser, UnsupportedType or InputError for an unreadable file, and Transient if
        the side workers are busy.
        """
        return list(self._read(team_id, parser_id, sha256, name).fields)

    def read_document(self, team_id: str, parser_id: str, document_id: str) -> Extraction:
        """Return what the suggested ``fields`` read from a document of the parser.

        Raise NotFound, InputError for a document of another parser, and the errors of ``from_file``.
        """
        with self._inst.catalog.read_session() as session:
            document = get_parser_document(session, team_id, parser_id, document_id)
            sha256, name = document.sha256, document.file_name
        return self._read(team_id, parser_id, sha256, name)

    def _read(self, team_id: str, parser_id: str, sha256: str, name: str) -> Extraction:
        parser = get_parser(self._inst, team_id, parser_id)
        reading = reading_of(read_settings(parser.settings), self._inst.settings)
        task = DocumentTask(name, _suggest, reading)
        return self._look(team_id, task, self._inst.files.local(sha256))

    def _look(self, team_id: str, task: DocumentTask[Extraction], path: Path) -> Extraction:
        seconds = SUGGEST_SECONDS
        limits = replace(worker_limits(self._inst.settings), seconds=seconds, most_seconds=seconds)

        def make() -> WorkerPool[DocumentTask[Extraction], Extraction]:
            return WorkerPool(document_job(Extraction), 1, limits)

        with self._inst.side_workers.pool("samples", team_id, make) as pool:
            pool.submit(task.name, task, [path])
            (outcome,) = pool.wait()
        error = outcome.error
        if isinstance(error, UnsupportedFile):
            raise UnsupportedType(error.content_type or "unknown") from error
        if isinstance(error, DocumentError):
            raise InputError(f"{task.name}: {error.message}", "file") from error
        if error is not None:
            raise error
        assert outcome.result is not None
        return outcome.result


def _suggest(document: Document, model_context: ModelContext) -> Extraction:
    from docduck.extraction.suggest import read_suggestions

    return read_suggestions(document)
