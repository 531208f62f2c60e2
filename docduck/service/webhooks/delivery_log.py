"""The deliveries of a webhook as users see them, and sending one, or a document's last export, again."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from pydantic import Field
from pydantic.alias_generators import to_snake
from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Webhook, WebhookDelivery, WebhookSnapshot
from docduck.catalog.models.webhooks import ANY_EVENT, DELIVERY_STATUSES, EXPORTED
from docduck.catalog.notifications import DELIVERIES, notify
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import is_uuid
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page, read_page
from docduck.service.core.schema import UtcTime, ViewPart
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.documents.queries.document_lookup import get_parser_document
from docduck.service.documents.webhook_outbox import fire, subscribers
from docduck.service.webhooks.payload import snapshot_payload
from docduck.service.webhooks.webhooks import find_webhook
from docduck.statuses import Status


class AttemptView(ViewPart):
    """An attempt to deliver an event."""

    at: str
    status_code: int | None = Field(description="The receiver's status; null without a response")
    duration_ms: int
    error: str | None


class DeliveryView(ViewPart):
    """A delivery of an event to a webhook."""

    id: str
    event: str = Field(examples=[EXPORTED])
    event_id: str | None = Field(description="The event; null for deliveries of earlier releases")
    document_id: str
    status: Literal["pending", "succeeded", "failed", "cancelled"]
    attempts: list[AttemptView]
    next_attempt_at: UtcTime | None = Field(
        description="Null when it has ended, and while the webhook is paused"
    )
    created_at: UtcTime


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
    parser_ref: str | None,
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
        conditions = [WebhookDelivery.webhook_id == webhook.id]
        if status is not None:
            conditions.append(WebhookDelivery.status == status)
        newest_first = (WebhookDelivery.created_at.desc(), WebhookDelivery.id.desc())
        return read_page(session, WebhookDelivery, conditions, newest_first, page, limit).map(_view)


def get_delivery_content(
    inst: Installation, team_id: str, parser_ref: str | None, webhook_id: str, delivery_id: str
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
    parser_ref: str | None,
    webhook_id: str,
    delivery_id: str,
    actor: str = "user",
) -> None:
    """Send a delivery again now, unless it was cancelled, also to a webhook that is not active.

    Raise NotFound, and Conflict for a cancelled one and while it is being sent.
    """
    if earlier_effect() is not None:
        return
    with inst.catalog.transaction() as session:
        webhook = find_webhook(session, team_id, parser_ref, webhook_id)
        delivery = _find_delivery(session, webhook, delivery_id, lock=True)
        if delivery.claimed_by is not None:
            raise Conflict("The delivery is being sent at this moment", code="delivery_in_progress")
        if delivery.status == "cancelled":
            raise Conflict(
                "The delivery was cancelled: its document was deleted, or the approval undone",
                code="delivery_cancelled",
            )
        delivery.status, delivery.next_attempt_at = "pending", clock.now()
        entry = (webhook.id, {"delivery": delivery.id, "event": delivery.event})
        audit.record(session, team_id, actor, "webhook.delivery_retried", "webhook", [entry])
        record_effect(session)
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
    attempts = [
        AttemptView.model_construct(None, **{to_snake(key): value for key, value in attempt.items()})
        for attempt in row.attempts
    ]
    return DeliveryView.of(row, attempts=attempts)


_EXPORTED_STATUSES = (Status.PROCESSED, Status.APPROVED)


def resend_export(
    inst: Installation, team_id: str, parser_id: str, document_id: str, actor: str = "user"
) -> None:
    """Fire ``document.exported`` for a document as it is now.

    Raise NotFound, InputError for a document of another parser, and Conflict unless the document was exported
    and an active webhook subscribes to the event.
    """
    if earlier_effect() is not None:
        return
    with inst.catalog.transaction() as session:
        document = get_parser_document(session, team_id, parser_id, document_id, lock=True)
        if document.status not in _EXPORTED_STATUSES:
            raise Conflict(f"Document is {document.status}; only processed and approved ones are exported")
        webhooks = subscribers(session, [parser_id]).get(parser_id, ())
        if not any(events & {EXPORTED, ANY_EVENT} for _, events in webhooks):
            raise Conflict(f"No active webhook of the parser subscribes to {EXPORTED}", code="no_subscriber")
        fire(session, EXPORTED, [(parser_id, document.id)])
        audit.record(session, team_id, actor, "document.export_resent", "document", [(document.id, None)])
        record_effect(session)
