"""Sending events to a webhook that it did not get, or got long ago."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field
from sqlalchemy import ColumnElement, func, insert, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import FiredEvent, Webhook, WebhookDelivery, WebhookSnapshot
from docduck.catalog.models.webhooks import ANY_EVENT
from docduck.catalog.notifications import DELIVERIES, notify
from docduck.errors import Forbidden, InputError, NotFound
from docduck.ids import is_uuid, new_id
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.pages import chunks
from docduck.service.core.schema import ViewPart
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.documents.webhook_outbox import insert_snapshots
from docduck.service.search.selection import within

MOST_EVENTS = 10_000
"""Of one replay."""
_STEP = 200
"""Events of one transaction."""


class Replayed(ViewPart):
    """What a replay sends."""

    deliveries: int = Field(description="Events that are sent, once more or for the first time")
    pending: int = Field(description="Events that were waiting to be sent already")
    skipped: int = Field(description="Events of documents that were deleted since")


@dataclass(frozen=True, slots=True)
class EventRange:
    """One event, or those that happened within inclusive bounds."""

    event_id: str | None = None
    created_from: dt.datetime | None = None
    created_to: dt.datetime | None = None


def get_any_webhook(session: Session, team_id: str, webhook_id: str, *, lock: bool = False) -> Webhook:
    """Return a webhook of the team or of one of its parsers; raise NotFound."""
    mine = select(Webhook).where(Webhook.team_id == team_id, Webhook.id == webhook_id.lower())
    if lock:
        mine = mine.with_for_update(key_share=True)
    webhook = session.scalar(mine) if is_uuid(webhook_id) else None
    if webhook is None:
        raise NotFound("Webhook not found", "webhookId", webhook_id)
    return webhook


def replay(
    inst: Installation,
    team_id: str,
    webhook_id: str,
    which: EventRange,
    actor: str = "user",
    *,
    only: Collection[str] | None = None,
) -> Replayed:
    """Send an event to a webhook, or all to which it subscribes within a range, the oldest first.

    A webhook has one delivery of an event. It is sent again with the same message id, unless it is waiting to
    be sent. An event without one is sent as it was, or, if that was not kept, with the document as it is.
    Deliveries to a webhook that is not active wait. Raise NotFound for the webhook or event, Forbidden for a
    webhook of other parsers than ``only``, and InputError for too many events.
    """
    if (earlier := earlier_effect()) is not None:
        return Replayed(**earlier)
    with inst.catalog.read_session() as session:
        webhook = get_any_webhook(session, team_id, webhook_id)
        if only is not None and webhook.parser_id not in only:
            raise Forbidden
        wanted = _wanted(webhook, which)
        total = session.scalar(select(func.count()).select_from(FiredEvent).where(*wanted)) or 0
        if which.event_id is not None and not total:
            raise NotFound("Event not found", "eventId", which.event_id)
        if total > MOST_EVENTS:
            raise InputError(
                f"These are {total:,} events; at most {MOST_EVENTS:,} can be sent at once: narrow the range"
            )
        ids = session.scalars(select(FiredEvent.id).where(*wanted).order_by(FiredEvent.number)).all()
    deliveries = pending = skipped = 0
    for some in chunks(ids, _STEP):
        with inst.catalog.transaction() as session:
            webhook = get_any_webhook(session, team_id, webhook_id, lock=True)
            done = _replay_some(session, webhook, some)
            deliveries, pending, skipped = deliveries + done[0], pending + done[1], skipped + done[2]
            if some[-1] == ids[-1]:
                record_effect(session, deliveries=deliveries, pending=pending, skipped=skipped)
            if done[0]:
                entry = (webhook.id, {"events": done[0], "first": some[0], "last": some[-1]})
                audit.record(session, team_id, actor, "webhook.replayed", "webhook", [entry])
                notify(session, DELIVERIES, [webhook.id])
    return Replayed(deliveries=deliveries, pending=pending, skipped=skipped)


def _wanted(webhook: Webhook, which: EventRange) -> list[ColumnElement[bool]]:
    wanted = [FiredEvent.team_id == webhook.team_id]
    if webhook.parser_id is not None:
        wanted.append(FiredEvent.parser_id == webhook.parser_id)
    if which.event_id is not None:
        return [*wanted, FiredEvent.id == which.event_id]
    if ANY_EVENT not in webhook.events:
        wanted.append(FiredEvent.event.in_(webhook.events))
    return [*wanted, *within(FiredEvent.created_at, which.created_from, which.created_to)]


def _replay_some(session: Session, webhook: Webhook, event_ids: Sequence[str]) -> tuple[int, int, int]:
    """Return how many events are sent, were pending, and are skipped."""
    moment = clock.now()
    due_at = moment if webhook.status == "active" else None
    mine = select(WebhookDelivery).where(
        WebhookDelivery.webhook_id == webhook.id, WebhookDelivery.event_id.in_(event_ids)
    )
    known = {
        row.event_id: row for row in session.scalars(mine.order_by(WebhookDelivery.id).with_for_update())
    }
    pending = cancelled = 0
    for row in known.values():
        if row.status == "pending":
            pending += 1
        elif row.status == "cancelled":
            cancelled += 1
        else:
            row.status, row.next_attempt_at = "pending", due_at
    events = session.scalars(
        select(FiredEvent)
        .where(FiredEvent.id.in_([event_id for event_id in event_ids if event_id not in known]))
        .order_by(FiredEvent.number)
    ).all()
    snapshots = _snapshots(session, events, moment)
    rows: list[dict[str, Any]] = [
        {
            "id": new_id(),
            "team_id": event.team_id,
            "webhook_id": webhook.id,
            "snapshot_id": snapshots[event.id],
            "document_id": event.document_id,
            "event": event.event,
            "event_id": event.id,
            "status": "pending",
            "attempts": [],
            "next_attempt_at": due_at,
            "created_at": moment,
        }
        for event in events
        if event.id in snapshots
    ]
    session.flush()
    if rows:
        session.connection().execute(insert(WebhookDelivery), rows)
    sent = len(known) - pending - cancelled + len(rows)
    return sent, pending, len(event_ids) - sent - pending


def _snapshots(session: Session, events: Sequence[FiredEvent], moment: dt.datetime) -> dict[str, str]:
    """Return the snapshots of events, by their ids: those kept, or else of the documents as they are."""
    stored = {event.snapshot_id for event in events if event.snapshot_id is not None}
    kept = set(session.scalars(select(WebhookSnapshot.id).where(WebhookSnapshot.id.in_(stored))))
    lost = {event.document_id for event in events if event.snapshot_id not in kept}
    present = insert_snapshots(session, sorted(lost), moment)
    return {
        event.id: str(event.snapshot_id) if event.snapshot_id in kept else present[event.document_id][0]
        for event in events
        if event.snapshot_id in kept or event.document_id in present
    }
