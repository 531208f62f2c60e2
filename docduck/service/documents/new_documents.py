"""Registration of new documents."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import ColumnElement, and_
from sqlalchemy.orm import Session

from docduck import clock, tracing
from docduck.catalog.models import Document
from docduck.errors import Conflict
from docduck.ids import new_id
from docduck.service.core import file_references
from docduck.service.documents.external_ids import used_external_ids
from docduck.service.documents.status_transitions import Event, create
from docduck.service.search import index
from docduck.service.search.index import Properties


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document to register; its file is in the file store. ``began`` is when it began to be taken in."""

    name: str
    sha256: str
    size: int
    content_type: str
    source: str = "folder"
    source_detail: Mapping[str, Any] | None = None
    external_id: str | None = None
    custom: Mapping[str, Any] | None = None
    folder_id: str | None = None
    operation_id: str | None = None
    split: Mapping[str, Any] | None = None
    split_sha256: str | None = None
    container_id: str | None = None
    routing: Mapping[str, Any] | None = None
    document_id: str | None = None
    began: dt.datetime | None = None


def register(
    session: Session,
    team_id: str,
    parser_id: str | None,
    new: Sequence[NewDocument],
    actor: str,
    *,
    classifier_id: str | None = None,
) -> list[str]:
    """Register documents of a parser, or of a classifier that is to route them, as queued.

    Return their ids in order. Raise Conflict if an external id is taken.
    """
    target_id = str(parser_id or classifier_id)
    _refuse_taken(
        session, target_id, [document.external_id for document in new if document.external_id is not None]
    )
    moment = clock.now()
    columns = Document.__table__.columns
    rows: list[dict[str, Any]] = []
    for document in new:
        known = {each.name: getattr(document, each.name) for each in fields(document) if each.name in columns}
        routed = "routed" if document.routing else None
        rows.append(
            {
                **known,
                "id": document.document_id or new_id(),
                "team_id": team_id,
                "parser_id": parser_id,
                "classifier_id": classifier_id,
                "routing_status": "pending" if parser_id is None else routed,
                "operation_id": document.operation_id or new_id(),
                "attempt": 0,
                "lost_leases": 0,
                "queued_at": moment,
                "created_at": moment,
                "updated_at": moment,
            }
        )
    file_references.acquire(
        session,
        Counter(document.sha256 for document in new),
        {document.sha256: document.size for document in new},
    )
    create(session, Event.STORED, rows, actor)
    index.add(
        session,
        {row["id"]: Properties(parser_id, row["name"], row["external_id"], row["custom"]) for row in rows},
    )
    for row, new_document in zip(rows, new, strict=True):
        tracing.record_upload(
            session,
            row["id"],
            moment,
            new_document.began,
            team_id=team_id,
            target_id=target_id,
            source=row["source"],
            operation_id=row["operation_id"],
            type=row["content_type"],
            size=row["size"],
        )
    return [row["id"] for row in rows]


def unrouted_by(classifier_id: str) -> ColumnElement[bool]:
    """Return the condition of documents that a classifier has not routed to a parser."""
    return and_(Document.classifier_id == classifier_id, Document.parser_id.is_(None))


def _refuse_taken(session: Session, target_id: str, external_ids: Sequence[str]) -> None:
    if not external_ids:
        return
    doubled = [external_id for external_id, count in Counter(external_ids).items() if count > 1]
    taken = doubled or sorted(used_external_ids(session, target_id, external_ids))
    if taken:
        raise Conflict(f"externalId already exists: {taken[0]}", "externalId", code="external_id_exists")
