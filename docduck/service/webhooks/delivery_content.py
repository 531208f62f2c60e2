"""What a delivery sends, for who looks into the log."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from docduck.catalog.models import WebhookSnapshot
from docduck.service.core.installation import Installation
from docduck.service.webhooks.delivery_log import find_delivery
from docduck.service.webhooks.payload import snapshot_payload
from docduck.service.webhooks.webhooks import find_webhook


@dataclass(frozen=True, slots=True)
class DeliveryContent:
    """A delivery with the body that each of its attempts sends, in the webhook's present value format."""

    event: str
    document_id: str
    status: str
    created_at: dt.datetime
    body: bytes


def get_delivery_content(
    inst: Installation, team_id: str, parser_ref: str, webhook_id: str, delivery_id: str
) -> DeliveryContent:
    """Return a delivery with its body; raise NotFound."""
    with inst.catalog.read_session() as session:
        webhook = find_webhook(session, team_id, parser_ref, webhook_id)
        delivery = find_delivery(session, webhook, delivery_id)
        snapshot = session.get_one(WebhookSnapshot, delivery.snapshot_id)
        body = snapshot_payload(snapshot, delivery.event, webhook.value_format, inst.settings.base_url)
        return DeliveryContent(
            delivery.event, delivery.document_id, delivery.status, delivery.created_at, body
        )
