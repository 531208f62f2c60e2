"""Fields that a sample document could be read for (contract J), found in a worker of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from docduck.errors import DocumentError, InputError
from docduck.extraction.configured import read_options, worker_limits
from docduck.extraction.document_job import DocumentTask, document_pool
from docduck.extraction.pool import WorkerPool
from docduck.fields import Field
from docduck.service.document_lookup import find_document
from docduck.service.installation import Installation

if TYPE_CHECKING:
    from docduck.documents.model import Document
    from docduck.extraction.model.aids import Aids


def suggest_from_document(inst: Installation, team_id: str, document_id: str) -> list[Field]:
    """Fields found on a document that is there; raises NotFound, and what ``suggest_from_file`` raises."""
    with inst.catalog.reading() as session:
        document = find_document(session, team_id, document_id)
    return suggest_from_file(inst, inst.files.path(document.sha256), document.name)


def suggest_from_file(inst: Installation, path: Path, name: str) -> list[Field]:
    """Fields found on a file; raises InputError when it can't be read."""
    pool: WorkerPool[DocumentTask[list[Field]], list[Field]] = document_pool(1, worker_limits(inst.settings))
    with pool as workers:
        workers.submit(name, DocumentTask(path, name, _suggest, read_options(inst.settings)))
        (outcome,) = workers.wait()
    if isinstance(outcome.error, DocumentError):
        raise InputError(f"{name}: {outcome.error.message}", "file") from outcome.error
    if outcome.error is not None:
        raise outcome.error
    return outcome.result or []


def _suggest(document: Document, aids: Aids) -> list[Field]:
    from docduck.extraction.suggest import suggest_fields

    return suggest_fields(document)
