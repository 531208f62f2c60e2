"""Who has taken an approved document: exports and webhooks, which can't give it back."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, Export, ExportedDocument, WebhookDelivery, WebhookSnapshot
from docduck.catalog.models.webhooks import APPROVED, EXPORTED


def taken_by(session: Session, document: Document, kept_days: float) -> str | None:
    """Return in words what has taken a locked, approved document, or may have; None if nothing has.

    Deliveries that wait to be sent are cancelled then. ``kept_days`` is how long deliveries are recorded.
    """
    approved_at = document.approved_at
    if approved_at is None or approved_at < clock.now() - dt.timedelta(days=kept_days):
        return "it was made too long ago to know what has taken the document"
    snapshots = select(WebhookSnapshot.id).where(WebhookSnapshot.document_id == document.id)
    deliveries = session.scalars(
        select(WebhookDelivery)
        .where(
            WebhookDelivery.snapshot_id.in_(snapshots),
            WebhookDelivery.event.in_((APPROVED, EXPORTED)),
            WebhookDelivery.created_at >= approved_at,
        )
        .with_for_update()
    ).all()
    if any(row.status != "pending" or row.attempts or row.claimed_by for row in deliveries):
        return "a webhook has sent it"
    named = session.scalar(
        select(ExportedDocument.name).where(ExportedDocument.document_id == document.id).limit(1)
    )
    if named is not None:
        return f"the incremental export '{named}' has the document"
    # Of other exports it is only recorded how many documents they have.
    later = (Export.parser_id == document.parser_id, Export.created_at >= approved_at)
    if session.scalar(select(Export.id).where(*later).limit(1)) is not None:
        return "an export was made since, which may have the document"
    session.execute(
        update(WebhookDelivery)
        .where(WebhookDelivery.id.in_([row.id for row in deliveries]))
        .values(status="cancelled", next_attempt_at=None)
        .execution_options(synchronize_session=False)
    )
    return None
