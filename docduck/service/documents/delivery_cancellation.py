"""Deliveries to webhooks that nobody waits for any more."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import case, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Webhook, WebhookDelivery, WebhookSnapshot


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
