"""Processing documents again with their parser's present revision, and what people did that it discards."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentResult, DocumentStage
from docduck.errors import InputError
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.core.pages import chunks
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.documents.file_passwords import sealed_password
from docduck.service.documents.queries.document_lookup import get_documents, get_parser_document
from docduck.service.documents.status_transitions import TRANSITIONS, Event, Transition, apply_transitions
from docduck.service.parsers.parsers import find
from docduck.statuses import Status


def reprocess(
    inst: Installation,
    team_id: str,
    document_ids: Sequence[str],
    actor: str = "user",
    *,
    discard_corrections: bool = False,
    password: str | None = None,
) -> int:
    """Queue documents again; return how many. Values that people set stay, unless they are to be discarded.

    ``password`` opens their files, now and later. Raise NotFound, InputError for a password that can't be
    one, and InvalidTransition if one is being processed.
    """
    if (earlier := earlier_effect()) is not None:
        return len(earlier["documents"])
    with inst.catalog.transaction() as session:
        rows = get_documents(session, team_id, document_ids, lock=True)
        _keep_password(inst, rows, password)
        requeue(session, rows, actor, discard_corrections)
        record_effect(session, documents=[row.id for row in rows])
        return len(rows)


def reprocess_document(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_id: str | None = None,
    external_id: str | None = None,
    actor: str = "user",
    *,
    discard_corrections: bool = False,
    password: str | None = None,
) -> str:
    """Queue a parser's document again, by id or external id; return its id.

    Values that people set stay, unless they are to be discarded. ``password`` opens its file, now and later.

    Raise InputError unless exactly one is given, for a document of another parser, and for a password that
    can't be one; NotFound, and InvalidTransition ``Document is already being processed``.
    """
    if (earlier := earlier_effect()) is not None:
        return str(earlier["documents"][0])
    with inst.catalog.transaction() as session:
        row = get_parser_document(session, team_id, parser_id, document_id, external_id, lock=True)
        _keep_password(inst, [row], password)
        requeue(session, [row], actor, discard_corrections)
        record_effect(session, documents=[row.id])
        return row.id


def reprocess_parser(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    statuses: Sequence[str] | None = None,
    actor: str = "user",
    *,
    discard_corrections: bool = False,
    created: tuple[dt.datetime, dt.datetime] | None = None,
) -> int:
    """Queue all final documents of a parser (or those in ``statuses``) again; return how many.

    ``created`` limits them to those created from one moment until before another. Values that people set
    stay, unless they are to be discarded. A repeated request leaves out those that it has queued before.
    """
    earlier, began = earlier_effect(), clock.now()
    allowed = [status for status in Status if (status, Event.REPROCESSED) in TRANSITIONS]
    chosen = list(statuses or allowed)
    for status in chosen:
        if status not in allowed:
            raise InputError(f"Documents that are '{status}' can't be processed again", "statuses")
    count = 0
    with inst.catalog.read_session() as session:
        parser_id = find(session, team_id, parser_ref).id
        mine = [Document.parser_id == parser_id, Document.status.in_(chosen)]
        if created is not None:
            mine += [Document.created_at >= created[0], Document.created_at < created[1]]
        if earlier is not None:
            mine.append(Document.queued_at < dt.datetime.fromisoformat(earlier["began"]))
        ids = list(session.scalars(select(Document.id).where(*mine).order_by(Document.id)))
    is_recorded = earlier is not None
    for some in chunks(ids):
        with inst.catalog.transaction() as session:
            rows = session.scalars(
                select(Document)
                .where(Document.team_id == team_id, Document.id.in_(some), *mine)
                .order_by(Document.id)
                .with_for_update()
            ).all()
            requeue(session, rows, actor, discard_corrections)
            if not is_recorded:
                record_effect(session, documents=len(ids), began=clock.iso(began))
        is_recorded = True
        count += len(rows)
    return count if earlier is None else int(earlier["documents"])


def requeue(session: Session, rows: Sequence[Document], actor: str, discard_corrections: bool) -> None:
    """Queue locked documents again; their reviews end. Raise InvalidTransition if one is being processed."""
    ids = [row.id for row in rows]
    if discard_corrections:
        discard_edits(session, ids)
    reviewed = end_reviews(session, ids)
    steps = [Transition.of(row, changes=requeued_columns(row, row.id in reviewed)) for row in rows]
    apply_transitions(session, Event.REPROCESSED, steps, actor)


def _keep_password(inst: Installation, rows: Sequence[Document], password: str | None) -> None:
    """Keep the password of locked documents' files, if there is one."""
    if password is not None:
        for row in rows:
            row.sealed_password = sealed_password(inst.settings, row.id, password)


def requeued_columns(row: Document, is_reviewed: bool) -> dict[str, Any]:
    """Return the columns of a document that is queued again; one that was reviewed loses its assignee."""
    return {
        "queued_at": clock.now(),
        "error": None,
        "lost_leases": 0,
        "pages_read": None,
        "pages_to_read": None,
        "operation_id": new_id(),
        "approved_at": None,
        "parser_revision": None,
        "assignee_id": None if is_reviewed else row.assignee_id,
    }


def discard_edits(session: Session, ids: Sequence[str]) -> None:
    """Let no value stay that people set in these documents when they are read again."""
    session.execute(
        update(DocumentResult)
        .where(DocumentResult.document_id.in_(ids), DocumentResult.edited)
        .values(edited=False)
        .execution_options(synchronize_session=False)
    )


def end_reviews(session: Session, ids: Sequence[str]) -> set[str]:
    """Delete the documents' review stages; return the documents that had any."""
    stages = DocumentStage.document_id.in_(ids)
    reviewed = set(session.scalars(select(DocumentStage.document_id).where(stages).distinct()))
    if reviewed:
        session.execute(delete(DocumentStage).where(stages))
    return reviewed


@dataclass(frozen=True, slots=True)
class HumanWork:
    """The ids of documents that are approved, by a stage at least, and of those with corrected values."""

    approved: frozenset[str]
    corrected: frozenset[str]


def human_work(inst: Installation, team_id: str, document_ids: Collection[str]) -> HumanWork:
    """Return what people did on these documents of the team."""
    stages = select(Document.id).join(DocumentStage, DocumentStage.document_id == Document.id)
    results = select(Document.id).join(DocumentResult, DocumentResult.document_id == Document.id)
    approved: set[str] = set()
    corrected: set[str] = set()
    with inst.catalog.read_session() as session:
        for some in chunks(document_ids):
            mine = (Document.team_id == team_id, Document.id.in_(some))
            approved.update(session.scalars(stages.where(*mine, DocumentStage.status == "approved")))
            corrected.update(session.scalars(results.where(*mine, DocumentResult.edited)))
    return HumanWork(frozenset(approved), frozenset(corrected))
