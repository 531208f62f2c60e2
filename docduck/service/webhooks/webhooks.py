"""The webhooks of a parser: finding, showing and deleting them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Webhook
from docduck.errors import NotFound
from docduck.ids import is_uuid
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import find
from docduck.service.schemas.webhooks import WebhookView

MASK = "***"
"""What is shown in place of a header's value."""


def list_webhooks(inst: Installation, team_id: str, parser_ref: str) -> list[WebhookView]:
    """Return a parser's webhooks, oldest first; raise NotFound."""
    with inst.catalog.read_session() as session:
        return [view(webhook) for webhook in parser_webhooks(session, find(session, team_id, parser_ref).id)]


def get_webhook(inst: Installation, team_id: str, parser_ref: str, webhook_id: str) -> WebhookView:
    """Return a webhook of a parser; raise NotFound for either."""
    with inst.catalog.read_session() as session:
        return view(find_webhook(session, team_id, parser_ref, webhook_id))


def delete_webhook(
    inst: Installation, team_id: str, parser_ref: str, webhook_id: str, actor: str = "user"
) -> str:
    """Delete a webhook with its deliveries, also those that are pending; return its id. Raise NotFound."""
    with inst.catalog.transaction() as session:
        webhook = find_webhook(session, team_id, parser_ref, webhook_id)
        session.delete(webhook)
        entry = (webhook.id, {"parser": webhook.parser_id, "url": webhook.url, "name": webhook.name})
        audit.record(session, team_id, actor, "webhook.deleted", "webhook", [entry])
        return webhook.id


def find_webhook(
    session: Session, team_id: str, parser_ref: str, webhook_id: str, *, lock: bool = False
) -> Webhook:
    """Return the row of a parser's webhook, locked if ``lock``; raise NotFound for either."""
    parser = find(session, team_id, parser_ref)
    statement = select(Webhook).where(
        Webhook.team_id == team_id, Webhook.parser_id == parser.id, Webhook.id == webhook_id.lower()
    )
    if lock:
        # Events that are being written refer to it, which doesn't conflict.
        statement = statement.with_for_update(key_share=True)
    webhook = session.scalar(statement) if is_uuid(webhook_id) else None
    if webhook is None:
        raise NotFound("Webhook not found", "webhookId", webhook_id)
    return webhook


def parser_webhooks(session: Session, parser_id: str) -> Sequence[Webhook]:
    """Return the rows of a parser's webhooks, oldest first."""
    return session.scalars(
        select(Webhook).where(Webhook.parser_id == parser_id).order_by(Webhook.created_at, Webhook.id)
    ).all()


def view(webhook: Webhook) -> WebhookView:
    """Return a webhook's row as a view; the values of its headers are masked."""
    masked = dict.fromkeys(webhook.headers, MASK)
    return WebhookView.of(webhook, headers=masked, is_active=webhook.status == "active")
