"""Deliveries to webhooks that nobody waits for any more."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from docduck.catalog.models import WebhookDelivery, WebhookSnapshot


def cancel_deliveries(session: Session, document_ids: Collection[str]) -> None:
    """Cancel the pending deliveries of documents that are deleted; one that is being sent ends as it does."""
    snapshots = select(WebhookSnapshot.id).where(WebhookSnapshot.document_id.in_(document_ids))
    session.execute(
        update(WebhookDelivery)
        .where(WebhookDelivery.snapshot_id.in_(snapshots), WebhookDelivery.status == "pending")
        .values(status="cancelled", next_attempt_at=None)
        .execution_options(synchronize_session=False)
    )
