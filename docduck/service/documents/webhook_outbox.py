"""The events of documents, written in the transaction in which they happen, and the outbox of webhooks.

fire(session, EXPORTED, [(parser_id, document_id)])

An event describes its document at the end of that transaction, when all its changes are made. The values are
copied inside the database, and small facts beside them, so that a large document doesn't keep other writers
waiting; the payload is composed from this snapshot when it is sent. Events without an active webhook have
none.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import and_, case, event, func, insert, or_, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.json_text import Encoded
from docduck.catalog.models import (
    Document,
    DocumentResult,
    Parser,
    Team,
    Webhook,
    WebhookDelivery,
    WebhookSnapshot,
)
from docduck.catalog.models.webhooks import ANY_EVENT
from docduck.catalog.notifications import DELIVERIES, notify
from docduck.fields import Field, FieldType
from docduck.ids import new_id
from docduck.service.core.pages import chunks
from docduck.service.documents.event_log import record_events
from docduck.service.documents.queries.review_progress import reviews_of
from docduck.service.parsers.parser_fields import deleted_fields
from docduck.service.parsers.parsers import view
from docduck.statuses import HAS_VALUES, Status

MAX_VALUES_LENGTH = 10 * 1024 * 1024
"""Values that are longer, compressed, are not copied: the payload would exceed its limit."""

_KEY = "docduck_webhook_events"

Subscriptions = Mapping[str, Sequence[tuple[str, frozenset[str]]]]
"""The active webhooks of parsers: their ids and events, by parser id."""


@dataclass(slots=True)
class _Fired:
    """The events of a transaction: by parser and document, in their order."""

    events: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    def add(self, parser_id: str, document_id: str, name: str) -> None:
        names = self.events.setdefault(parser_id, {}).setdefault(document_id, [])
        if name not in names:
            names.append(name)


def fire(session: Session, name: str, documents: Iterable[tuple[str, str]]) -> None:
    """Record the event, and deliver it to the webhooks that subscribe to it.

    ``documents`` are (parser, document) ids.
    """
    fired: _Fired | None = session.info.get(_KEY)
    if fired is None:
        fired = session.info[_KEY] = _Fired()
        event.listen(session, "before_commit", _write)
    for parser_id, document_id in documents:
        fired.add(parser_id, document_id, name)


def subscribers(session: Session, parser_ids: Collection[str]) -> Subscriptions:
    """Return the active webhooks of parsers and their teams, locked against deletion until the end."""
    of_team = and_(Webhook.parser_id.is_(None), Webhook.team_id == Parser.team_id)
    rows = session.execute(
        select(Parser.id, Webhook.id, Webhook.events)
        .join(Webhook, or_(Webhook.parser_id == Parser.id, of_team))
        .where(Parser.id.in_(parser_ids), Webhook.status == "active")
        .order_by(Webhook.id)
        .with_for_update(read=True, key_share=True, of=Webhook)
    )
    by_parser: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for parser_id, webhook_id, events in rows:
        by_parser.setdefault(parser_id, []).append((webhook_id, frozenset(events)))
    return by_parser


def _write(session: Session) -> None:
    """Write the events and deliveries of the transaction that is about to commit."""
    fired: _Fired = session.info[_KEY]
    pending, fired.events = fired.events, {}
    if not pending:
        return
    moment = clock.now()
    teams = session.execute(select(Parser.id, Parser.team_id).where(Parser.id.in_(pending)))
    events = [
        {
            "id": new_id(),
            "team_id": team_id,
            "parser_id": parser_id,
            "document_id": document_id,
            "event": name,
            "snapshot_id": None,
            "created_at": moment,
        }
        for parser_id, team_id in teams.all()
        for document_id, names in pending[parser_id].items()
        for name in names
    ]
    webhooks = subscribers(session, pending.keys())
    messages: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for row in events:
        for webhook_id, subscribed in webhooks.get(str(row["parser_id"]), ()):
            if row["event"] in subscribed or ANY_EVENT in subscribed:
                messages.setdefault(str(row["document_id"]), []).append((webhook_id, row))
    for some in chunks(sorted(messages)):
        _deliver(session, {document_id: messages[document_id] for document_id in some}, moment)
    record_events(session, events)


def _deliver(
    session: Session, messages: Mapping[str, Sequence[tuple[str, dict[str, Any]]]], moment: dt.datetime
) -> None:
    """Insert the snapshots of documents, and a delivery for each (webhook, event)."""
    rows = []
    for document_id, (snapshot_id, team_id) in insert_snapshots(session, list(messages), moment).items():
        for webhook_id, fired in messages[document_id]:
            fired["snapshot_id"] = snapshot_id
            rows.append(
                {
                    "id": new_id(),
                    "team_id": team_id,
                    "webhook_id": webhook_id,
                    "snapshot_id": snapshot_id,
                    "document_id": document_id,
                    "event": fired["event"],
                    "event_id": fired["id"],
                    "status": "pending",
                    "attempts": [],
                    "next_attempt_at": moment,
                    "created_at": moment,
                }
            )
    if rows:
        session.connection().execute(insert(WebhookDelivery), rows)
        notify(session, DELIVERIES, {str(row["webhook_id"]) for row in rows})


def insert_snapshots(session: Session, ids: Sequence[str], moment: dt.datetime) -> dict[str, tuple[str, str]]:
    """Insert snapshots of those documents that exist; return their ids and teams by document id."""
    documents = session.scalars(
        select(Document).where(Document.id.in_(ids)).execution_options(populate_existing=True)
    ).all()
    parser_ids = {document.parser_id for document in documents}
    parsers = {
        parser.id: (parser, slug)
        for parser, slug in session.execute(
            select(Parser, Team.slug).join(Team, Team.id == Parser.team_id).where(Parser.id.in_(parser_ids))
        )
    }
    fields = {key: Encoded.of(described_fields(parser)) for key, (parser, _) in parsers.items()}
    reviews = reviews_of(session, documents)
    rows: list[dict[str, Any]] = []
    for document in documents:
        parser, slug = parsers[str(document.parser_id)]
        review = reviews[document.id].as_json()
        facts = {
            "id": document.id,
            "name": document.name,
            "isProcessed": document.status in HAS_VALUES,
            "assignee": review["assignee"],
            "teamId": document.team_id,
            "teamSlug": slug,
            "parserId": parser.id,
            "workflowId": parser.workflow_id,
            "externalId": document.external_id,
            "custom": document.custom,
            "status": document.status,
            "source": document.source,
            "folderId": document.folder_id,
            "pageCount": document.page_count,
            "createdAt": clock.iso(document.created_at),
            "updatedAt": clock.iso(document.updated_at),
            "error": document.error if document.status == Status.FAILED else None,
            "review": review,
        }
        rows.append(
            {
                "id": new_id(),
                "team_id": document.team_id,
                "document_id": document.id,
                "facts": facts,
                "fields": fields[parser.id],
                "created_at": moment,
            }
        )
    if rows:
        session.connection().execute(insert(WebhookSnapshot), rows)
        valued = {document.id for document in documents if document.status in HAS_VALUES}
        _copy_values(session, [row["id"] for row in rows if row["document_id"] in valued])
    return {row["document_id"]: (row["id"], row["team_id"]) for row in rows}


def _copy_values(session: Session, snapshot_ids: Sequence[str]) -> None:
    """Copy the documents' values to their snapshots inside the database, except very large ones."""
    if not snapshot_ids:
        return
    values = select(DocumentResult.values).where(
        DocumentResult.document_id == WebhookSnapshot.document_id,
        func.length(DocumentResult.values) <= MAX_VALUES_LENGTH,
    )
    session.execute(
        update(WebhookSnapshot)
        .where(WebhookSnapshot.id.in_(snapshot_ids))
        .values(values=values.scalar_subquery())
        .execution_options(synchronize_session=False)
    )


def described_fields(parser: Parser) -> dict[str, Any]:
    """Return what a snapshot stores of a parser's fields: names and types by id, for values by name."""
    return {
        "live": [_described(field) for field in view(parser).fields],
        "deleted": [_described(field) for field in deleted_fields(parser.fields)],
    }


def restored_fields(described: Sequence[Mapping[str, Any]]) -> list[Field]:
    """Return the fields that ``described_fields`` described."""
    return [
        Field.model_construct(
            id=field["id"],
            name=field["name"],
            type=FieldType(field["type"]),
            columns=tuple(restored_fields(field.get("columns", ()))),
        )
        for field in described
    ]


def _described(field: Field) -> dict[str, Any]:
    description: dict[str, Any] = {"id": field.id, "name": field.name, "type": field.type.value}
    if field.columns:
        description["columns"] = [_described(column) for column in field.columns]
    return description


def cancel_deliveries(session: Session, document_ids: Collection[str]) -> None:
    """Cancel the pending deliveries of documents that are deleted; one that is being sent ends as it does."""
    snapshots = select(WebhookSnapshot.id).where(WebhookSnapshot.document_id.in_(document_ids))
    session.execute(
        update(WebhookDelivery)
        .where(WebhookDelivery.snapshot_id.in_(snapshots), WebhookDelivery.status == "pending")
        .values(status="cancelled", next_attempt_at=None)
        .execution_options(synchronize_session=False)
    )


def revive_deliveries(session: Session, delivery_ids: Collection[str]) -> None:
    """Let cancelled deliveries wait again: now, or until their webhook is resumed."""
    webhook = select(Webhook.status).where(Webhook.id == WebhookDelivery.webhook_id).scalar_subquery()
    session.execute(
        update(WebhookDelivery)
        .where(WebhookDelivery.id.in_(delivery_ids), WebhookDelivery.status == "cancelled")
        .values(status="pending", next_attempt_at=case((webhook == "active", clock.now())))
        .execution_options(synchronize_session=False)
    )
