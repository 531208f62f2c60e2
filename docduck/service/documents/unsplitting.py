"""Undoing a split: the parts of a PDF become one document again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, StoredFile
from docduck.errors import Conflict
from docduck.service.core import audit, file_references
from docduck.service.core.installation import Installation
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.documents.deletion import delete_rows, write_known
from docduck.service.documents.document_names import take_file
from docduck.service.documents.queries.document_lookup import get_parser_document
from docduck.service.documents.reprocessing import discard_edits, end_reviews, requeued_columns
from docduck.service.documents.status_transitions import Event, Transition, apply_transitions, next_status
from docduck.service.search.reindexing import KnownDocuments
from docduck.statuses import Status


def undo_split(inst: Installation, team_id: str, parser_id: str, document_id: str, actor: str) -> str:
    """Queue a split PDF as one document again, given any of its parts; return the document's id.

    The first part becomes the whole file; the other parts are deleted with their values. The document is not
    split again. Raise NotFound, and Conflict if it is no part of a PDF or a part is being processed.
    """
    if (earlier := earlier_effect()) is not None:
        return str(earlier["document"])

    def find(session: Session, *, lock: bool) -> Sequence[Document]:
        return _parts(session, team_id, parser_id, document_id, lock=lock)

    def write(session: Session, rows: Sequence[Document], known: KnownDocuments) -> str:
        for row in rows:
            next_status(Status(row.status), Event.REPROCESSED)
        first, *others = rows
        _make_whole(session, first, actor)
        delete_rows(session, others, known, actor)
        record_effect(session, document=first.id)
        return first.id

    return write_known(inst, find, write)


def _parts(
    session: Session, team_id: str, parser_id: str, document_id: str, *, lock: bool
) -> Sequence[Document]:
    """Return the remaining parts of the split that a document belongs to, in order."""
    document = get_parser_document(session, team_id, parser_id, document_id)
    if document.split_sha256 is None or document.split is None:
        raise Conflict("The document was not split from a PDF")
    statement = (
        select(Document)
        .where(
            Document.team_id == team_id,
            Document.parser_id == document.parser_id,
            Document.split_sha256 == document.split_sha256,
        )
        .order_by(Document.id)
    )
    rows = session.scalars(statement.with_for_update() if lock else statement)
    source_id = document.split["sourceDocumentId"]
    mine = {row: row.split for row in rows if row.split and row.split["sourceDocumentId"] == source_id}
    return sorted(mine, key=lambda row: int(mine[row]["index"]))


def _make_whole(session: Session, row: Document, actor: str) -> None:
    source = session.get_one(StoredFile, row.split_sha256)
    split: Mapping[str, Any] = row.split or {}
    of_file = take_file(session, row, str(split["sourceName"]), source.sha256, source.size)
    # The part's reference to the whole file becomes that of the document.
    file_references.release(session, {row.sha256: 1})
    discard_edits(session, [row.id])
    is_reviewed = bool(end_reviews(session, [row.id]))
    changes: dict[str, Any] = {
        **requeued_columns(row, is_reviewed),
        **of_file,
        "split": None,
        "split_sha256": None,
        "keep_whole": True,
    }
    audit.record(
        session, row.team_id, actor, "document.unsplit", "document", [(row.id, {"parts": split["total"]})]
    )
    step = Transition.of(row, "its parts are one document again", changes)
    apply_transitions(session, Event.REPROCESSED, [step], actor)
