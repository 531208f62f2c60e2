"""The deliveries of a webhook as users see them, and sending one again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Webhook, WebhookDelivery, WebhookSnapshot
from docduck.catalog.models.webhooks import DELIVERY_STATUSES
from docduck.catalog.notifications import DELIVERIES, notify
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import is_uuid
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page, read_page
from docduck.service.webhooks.payload import snapshot_payload
from docduck.service.webhooks.webhooks import find_webhook


@dataclass(frozen=True, slots=True)
class AttemptView:
    """An attempt; ``status_code`` is None without a response."""

    at: str
    status_code: int | None
    duration_ms: int
    error: str | None


@dataclass(frozen=True, slots=True)
class DeliveryView:
    """A delivery with its attempts, oldest first."""

    id: str
    event: str
    document_id: str
    status: str
    attempts: Sequence[AttemptView]
    next_attempt_at: dt.datetime | None
    created_at: dt.datetime


@dataclass(frozen=True, slots=True)
class DeliveryContent:
    """A delivery with the body that each of its attempts sends, in the webhook's present value format."""

    event: str
    document_id: str
    status: str
    created_at: dt.datetime
    body: bytes


def list_deliveries(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    webhook_id: str,
    status: str | None = None,
    page: int = 1,
    limit: int = 50,
) -> Page[DeliveryView]:
    """Return a page of a webhook's deliveries, newest first; raise NotFound, InputError for the status."""
    if status is not None and status not in DELIVERY_STATUSES:
        raise InputError(f"status must be one of {', '.join(DELIVERY_STATUSES)}", "status")
    with inst.catalog.read_session() as session:
        webhook = find_webhook(session, team_id, parser_ref, webhook_id)
        wanted = [WebhookDelivery.webhook_id == webhook.id]
        if status is not None:
            wanted.append(WebhookDelivery.status == status)
        newest_first = (WebhookDelivery.created_at.desc(), WebhookDelivery.id.desc())
        return read_page(session, WebhookDelivery, wanted, newest_first, page, limit).map(_view)


def get_delivery_content(
    inst: Installation, team_id: str, parser_ref: str, webhook_id: str, delivery_id: str
) -> DeliveryContent:
    """Return a delivery with its body; raise NotFound."""
    with inst.catalog.read_session() as session:
        webhook = find_webhook(session, team_id, parser_ref, webhook_id)
        delivery = _find_delivery(session, webhook, delivery_id)
        snapshot = session.get_one(WebhookSnapshot, delivery.snapshot_id)
        body = snapshot_payload(snapshot, delivery.event, webhook.value_format, inst.settings.base_url)
        return DeliveryContent(
            delivery.event, delivery.document_id, delivery.status, delivery.created_at, body
        )


def retry_delivery(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    webhook_id: str,
    delivery_id: str,
    actor: str = "user",
) -> None:
    """Send a delivery again now, unless it was cancelled, also to a webhook that is not active.

    Raise NotFound, and Conflict for a cancelled one and while it is being sent.
    """
    with inst.catalog.transaction() as session:
        webhook = find_webhook(session, team_id, parser_ref, webhook_id)
        delivery = _find_delivery(session, webhook, delivery_id, lock=True)
        if delivery.claimed_by is not None:
            raise Conflict("The delivery is being sent at this moment")
        if delivery.status == "cancelled":
            raise Conflict("The delivery was cancelled: its document was deleted")
        delivery.status, delivery.next_attempt_at = "pending", clock.now()
        entry = (webhook.id, {"delivery": delivery.id, "event": delivery.event})
        audit.record(session, team_id, actor, "webhook.delivery_retried", "webhook", [entry])
        notify(session, DELIVERIES, [webhook.id])


def _find_delivery(
    session: Session, webhook: Webhook, delivery_id: str, *, lock: bool = False
) -> WebhookDelivery:
    """Return a delivery of a webhook, locked until the transaction ends if asked; raise NotFound."""
    delivery = None
    if is_uuid(delivery_id):
        mine = (WebhookDelivery.webhook_id == webhook.id, WebhookDelivery.id == delivery_id.lower())
        query = select(WebhookDelivery).where(*mine)
        delivery = session.scalar(query.with_for_update() if lock else query)
    if delivery is None:
        raise NotFound("Delivery not found", "deliveryId", delivery_id)
    return delivery


def _view(row: WebhookDelivery) -> DeliveryView:
    return DeliveryView(
        id=row.id,
        event=row.event,
        document_id=row.document_id,
        status=row.status,
        attempts=[
            AttemptView(attempt["at"], attempt["statusCode"], attempt["durationMs"], attempt["error"])
            for attempt in row.attempts
        ],
        next_attempt_at=row.next_attempt_at,
        created_at=row.created_at,
    )
