"""Documents: registering, finding, showing, deleting and reading them again."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Select, delete, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentEvent, DocumentResult, Parser
from docduck.documents.sniff import content_type
from docduck.errors import Conflict, InputError, NotFound
from docduck.fields import Field
from docduck.ids import is_uuid, new_id
from docduck.service import file_refs, outbox, values
from docduck.service.installation import Installation
from docduck.service.parsers import find, view
from docduck.service.states import MOVES, Event, Move, Status, birth, move

_SNIFFED_BYTES = 64 * 1024
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document to register; its bytes are in the file store already."""

    name: str
    sha256: str
    size: int
    content_type: str
    source: str = "folder"
    source_detail: Mapping[str, Any] | None = None
    external_id: str | None = None
    custom: Mapping[str, Any] | None = None
    folder_id: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document as a list shows it."""

    id: str
    parser_id: str | None
    name: str
    external_id: str | None
    status: Status
    source: str
    content_type: str
    page_count: int | None
    confidence: float | None
    error: str | None
    created_at: dt.datetime
    updated_at: dt.datetime
    processed_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change of state: what happened, when, by whom and why."""

    at: dt.datetime
    event: str
    from_status: str | None
    to_status: str
    reason: str | None
    actor: str


@dataclass(frozen=True, slots=True)
class DocumentView(DocumentRow):
    """A document whole: values by field name, their evidence in the same shape, and its history.

    ``source_detail`` says where in its source it was: a ``path``, or for what was attached to a mail the
    ``mail``'s document id and its ``part`` there.
    """

    data: Mapping[str, Any] = field(default_factory=dict)
    field_metadata: Mapping[str, Any] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    history: Sequence[HistoryEntry] = ()
    sha256: str = ""
    custom: Mapping[str, Any] | None = None
    duplicate_of: Sequence[str] = ()
    source_detail: Mapping[str, Any] | None = None


def register(session: Session, parser: Parser, new: Sequence[NewDocument], actor: str) -> list[str]:
    """Register documents as queued, within the caller's transaction; gives their ids in order.

    Documents of the parser with the same content are noted as ``duplicate_of``. Raises Conflict when
    an external id is taken.
    """
    _refuse_taken(session, parser.id, [one.external_id for one in new if one.external_id is not None])
    moment = clock.now()
    twins = _twins(session, parser.id, {one.sha256 for one in new})
    rows: list[dict[str, Any]] = []
    for one in new:
        document_id = new_id()
        rows.append(
            {
                "id": document_id,
                "team_id": parser.team_id,
                "parser_id": parser.id,
                "folder_id": one.folder_id,
                "name": one.name,
                "external_id": one.external_id,
                "custom": one.custom,
                "source": one.source,
                "source_detail": one.source_detail,
                "sha256": one.sha256,
                "content_type": one.content_type,
                "size": one.size,
                "operation_id": new_id(),
                "attempt": 0,
                "lost_leases": 0,
                "queued_at": moment,
                "duplicate_of": list(twins.get(one.sha256, ())) or None,
                "created_at": moment,
                "updated_at": moment,
            }
        )
        twins.setdefault(one.sha256, []).append(document_id)
    file_refs.acquire(session, Counter(one.sha256 for one in new), {one.sha256: one.size for one in new})
    birth(session, Event.STORED, rows, actor)
    return [row["id"] for row in rows]


def upload(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    content: Path | bytes,
    name: str | None = None,
    *,
    source: str = "api",
    external_id: str | None = None,
    actor: str = "upload",
) -> str:
    """Store a file and register it; gives the document's id.

    Raises NotFound, Conflict, FileTooLarge, or InputError when the parser is inactive.
    """
    limit = inst.settings.max_file_bytes
    if isinstance(content, Path):
        with content.open("rb") as stream:
            head = stream.read(_SNIFFED_BYTES)
            stream.seek(0)
            stored = inst.files.put(stream, limit)
        name = name or content.name
    else:
        head, stored = content[:_SNIFFED_BYTES], inst.files.put_bytes(content)
    name = name or "document"
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref)
        if not parser.is_active:
            raise InputError("Parser is inactive", "parserId")
        new = NewDocument(
            name, stored.sha256, stored.size, content_type(head, name), source, external_id=external_id
        )
        return register(session, parser, [new], actor)[0]


def get_document(inst: Installation, team_id: str, document_id: str) -> DocumentView:
    """One document whole; raises NotFound."""
    with inst.catalog.reading() as session:
        document = find_document(session, team_id, document_id)
        result = session.get(DocumentResult, document.id)
        parser = session.get(Parser, document.parser_id) if document.parser_id else None
        fields: Sequence[Field] = view(parser).fields if parser else ()
        events = session.scalars(
            select(DocumentEvent)
            .where(DocumentEvent.document_id == document.id)
            .order_by(DocumentEvent.at, DocumentEvent.id)
        )
        data, evidence = values.named(
            fields, result.values if result else {}, result.evidence if result else {}
        )
        return DocumentView(
            **_row(document),
            data=data if result else {},
            field_metadata=evidence,
            warnings=result.warnings if result else (),
            history=[
                HistoryEntry(e.at, e.event, e.from_status, e.to_status, e.reason, e.actor) for e in events
            ],
            sha256=document.sha256,
            custom=document.custom,
            duplicate_of=document.duplicate_of or (),
            source_detail=document.source_detail,
        )


def delete_documents(inst: Installation, team_id: str, document_ids: Sequence[str]) -> int:
    """Delete documents with their values and files; gives how many.

    Raises NotFound for the first unknown id, and then nothing is deleted.
    """
    with inst.catalog.transaction() as session:
        rows = [find_document(session, team_id, document_id) for document_id in dict.fromkeys(document_ids)]
        outbox.mark(session, [(row.id, row.team_id, row.parser_id) for row in rows if row.parser_id])
        hashes = Counter(row.sha256 for row in rows)
        ids = [row.id for row in rows]
        for start in range(0, len(ids), _CHUNK):
            chunk = ids[start : start + _CHUNK]
            markdown = session.scalars(
                select(DocumentResult.markdown_sha256).where(
                    DocumentResult.document_id.in_(chunk), DocumentResult.markdown_sha256.is_not(None)
                )
            )
            hashes.update(sha for sha in markdown if sha)
            session.execute(delete(Document).where(Document.id.in_(chunk)))
        file_refs.release(session, hashes)
        return len(ids)


def reprocess(inst: Installation, team_id: str, document_ids: Sequence[str], actor: str = "user") -> int:
    """Queue documents again, with the parser's present settings; gives how many.

    Raises NotFound, and IllegalMove when one is being processed already.
    """
    with inst.catalog.transaction() as session:
        rows = [find_document(session, team_id, document_id) for document_id in dict.fromkeys(document_ids)]
        _requeue(session, rows, actor)
        return len(rows)


def reprocess_parser(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    statuses: Sequence[str] | None = None,
    actor: str = "user",
) -> int:
    """Queue all of a parser's documents again that are done (or in ``statuses``); gives how many."""
    allowed = [status for status in Status if (status, Event.REPROCESSED) in MOVES]
    wanted = list(statuses or allowed)
    for status in wanted:
        if status not in allowed:
            raise InputError(f"Documents that are '{status}' can't be processed again", "statuses")
    count = 0
    with inst.catalog.reading() as session:
        parser_id = find(session, team_id, parser_ref).id
        ids = list(
            session.scalars(
                select(Document.id).where(Document.parser_id == parser_id, Document.status.in_(wanted))
            )
        )
    for start in range(0, len(ids), _CHUNK):
        with inst.catalog.transaction() as session:
            rows = list(
                session.scalars(
                    _of_team(team_id)
                    .where(Document.id.in_(ids[start : start + _CHUNK]), Document.status.in_(wanted))
                    .with_for_update()
                )
            )
            _requeue(session, rows, actor)
            count += len(rows)
    return count


def _requeue(session: Session, rows: Sequence[Document], actor: str) -> None:
    moment = clock.now()
    steps = [
        Move(
            row.id,
            row.team_id,
            row.parser_id,
            Status(row.status),
            row.attempt,
            changes={
                "queued_at": moment,
                "error": None,
                "lost_leases": 0,
                "operation_id": new_id(),
            },
        )
        for row in rows
    ]
    move(session, Event.REPROCESSED, steps, actor)


def _of_team(team_id: str) -> Select[Document]:
    return select(Document).where(Document.team_id == team_id)


def find_document(session: Session, team_id: str, document_id: str, *, lock: bool = False) -> Document:
    """The team's document row, locked until the transaction ends if asked for; raises NotFound."""
    row = None
    if is_uuid(document_id):
        statement = _of_team(team_id).where(Document.id == document_id)
        row = session.scalar(statement.with_for_update() if lock else statement)
    if row is None:
        raise NotFound("Document not found", "documentId", document_id)
    return row


def _row(row: Document) -> dict[str, Any]:
    return {
        "id": row.id,
        "parser_id": row.parser_id,
        "name": row.name,
        "external_id": row.external_id,
        "status": Status(row.status),
        "source": row.source,
        "content_type": row.content_type,
        "page_count": row.page_count,
        "confidence": row.confidence,
        "error": row.error,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "processed_at": row.processed_at,
    }


def _refuse_taken(session: Session, parser_id: str, external_ids: Sequence[str]) -> None:
    doubled = [one for one, count in Counter(external_ids).items() if count > 1]
    taken = doubled or list(
        session.scalars(
            select(Document.external_id).where(
                Document.parser_id == parser_id, Document.external_id.in_(external_ids)
            )
        )
        if external_ids
        else ()
    )
    if taken:
        raise Conflict(f"externalId already exists: {taken[0]}", "externalId")


def _twins(session: Session, parser_id: str, hashes: set[str]) -> dict[str, list[str]]:
    twins: dict[str, list[str]] = {}
    wanted = sorted(hashes)
    for start in range(0, len(wanted), _CHUNK):
        for sha256, document_id in session.execute(
            select(Document.sha256, Document.id)
            .where(Document.parser_id == parser_id, Document.sha256.in_(wanted[start : start + _CHUNK]))
            .order_by(Document.created_at)
        ):
            twins.setdefault(sha256, []).append(document_id)
    return twins
