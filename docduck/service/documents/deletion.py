"""Deletion of documents with their values, files and warehouse rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentResult
from docduck.errors import InputError
from docduck.service.core import audit, file_references, warehouse_outbox
from docduck.service.core.installation import Installation
from docduck.service.core.pages import chunks
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.core.transactions import OutdatedPreparation, prepare_and_write
from docduck.service.documents.deletion_log import record_deletions
from docduck.service.documents.queries.document_lookup import get_documents, get_parser_documents
from docduck.service.documents.webhook_outbox import cancel_deliveries
from docduck.service.search import reindexing
from docduck.service.search.reindexing import KnownDocuments

R = TypeVar("R")

MAX_DELETED_DOCUMENTS = 10_000
"""By one request to the API."""


def delete_documents(
    inst: Installation, team_id: str, document_ids: Sequence[str], actor: str = "user"
) -> int:
    """Delete documents of the team, of any parser; return how many.

    The outcome of a document that is being processed is dropped. Raise NotFound for the first unknown id and
    delete nothing.
    """

    def find(session: Session, *, lock: bool) -> Sequence[Document]:
        return get_documents(session, team_id, document_ids, lock=lock)

    return len(delete_selected(inst, find, actor))


def delete_from_parser(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_ids: Sequence[str] = (),
    external_ids: Sequence[str] = (),
    actor: str = "user",
) -> list[str]:
    """Delete documents of a parser, all or none; return their ids. External ids can be used again.

    Raise InputError if none or too many are given or one belongs to another parser, NotFound listing all
    unknown ones.
    """
    limit = MAX_DELETED_DOCUMENTS
    if len(document_ids) + len(external_ids) > limit:
        raise InputError(f"At most {limit} documents can be deleted at once", "documentIds")

    def find(session: Session, *, lock: bool) -> Sequence[Document]:
        return get_parser_documents(session, team_id, parser_id, document_ids, external_ids, lock=lock)

    return delete_selected(inst, find, actor)


class DocumentSelector(Protocol):
    """A function that selects documents."""

    def __call__(self, session: Session, *, lock: bool) -> Sequence[Document]: ...


def delete_selected(inst: Installation, find: DocumentSelector, actor: str) -> list[str]:
    """Delete the documents that ``find`` returns; return their ids."""
    if (earlier := earlier_effect()) is not None:
        return list(earlier["documents"])

    def write(session: Session, rows: Sequence[Document], known: KnownDocuments) -> list[str]:
        ids = delete_rows(session, rows, known, actor)
        record_effect(session, documents=ids)
        return ids

    return write_known(inst, find, write)


def write_known(
    inst: Installation,
    find: DocumentSelector,
    write: Callable[[Session, Sequence[Document], KnownDocuments], R],
) -> R:
    """Call ``write`` with the documents that ``find`` returns, and what the index has of them.

    It is called in a transaction, in which ``find`` has locked them, and they are unchanged since they were
    known. Return its result.
    """

    def prepare(session: Session) -> KnownDocuments:
        return reindexing.known_documents(session, [row.id for row in find(session, lock=False)])

    def write_unchanged(session: Session, known: KnownDocuments) -> R:
        rows = find(session, lock=True)
        if known.changed(session, rows):
            raise OutdatedPreparation
        return write(session, rows, known)

    return prepare_and_write(inst, prepare, write_unchanged)


def delete_rows(session: Session, rows: Sequence[Document], known: KnownDocuments, actor: str) -> list[str]:
    """Delete locked documents of one team that have not changed since ``known``; return their ids."""
    warehouse_outbox.enqueue(session, [(row.id, row.team_id, row.parser_id) for row in rows if row.parser_id])
    hashes = Counter(row.sha256 for row in rows)
    hashes.update(row.split_sha256 for row in rows if row.split_sha256)
    ids = [row.id for row in rows]
    if rows:
        gone = [(row.id, {"name": row.name, "externalId": row.external_id}) for row in rows]
        audit.record(session, rows[0].team_id, actor, "document.deleted", "document", gone)
    record_deletions(session, rows)
    reindexing.remove(session, known, ids)
    for chunk in chunks(ids):
        markdown = session.scalars(
            select(DocumentResult.markdown_sha256).where(
                DocumentResult.document_id.in_(chunk), DocumentResult.markdown_sha256.is_not(None)
            )
        )
        hashes.update(sha256 for sha256 in markdown if sha256)
        cancel_deliveries(session, chunk)
        session.execute(delete(Document).where(Document.id.in_(chunk)))
    file_references.release(session, hashes)
    return ids
