"""The webhooks of a parser: finding, showing and deleting them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Webhook
from docduck.errors import NotFound
from docduck.ids import is_uuid
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import find

MASK = "***"
"""What is shown in place of a header's value."""


@dataclass(frozen=True, slots=True)
class WebhookView:
    """A webhook; the values of its ``headers`` are masked."""

    id: str
    parser_id: str
    url: str
    name: str
    description: str
    events: Sequence[str]
    headers: Mapping[str, str]
    value_format: str
    status: str
    last_delivery_at: dt.datetime | None
    last_status_code: int | None
    created_at: dt.datetime
    updated_at: dt.datetime

    @property
    def is_active(self) -> bool:
        """Whether events are sent to it."""
        return self.status == "active"


def list_webhooks(inst: Installation, team_id: str, parser_ref: str) -> list[WebhookView]:
    """Return a parser's webhooks, oldest first; raise NotFound."""
    with inst.catalog.read_session() as session:
        return [view(one) for one in parser_webhooks(session, find(session, team_id, parser_ref).id)]


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
    found = session.scalar(statement) if is_uuid(webhook_id) else None
    if found is None:
        raise NotFound("Webhook not found", "webhookId", webhook_id)
    return found


def parser_webhooks(session: Session, parser_id: str) -> Sequence[Webhook]:
    """Return the rows of a parser's webhooks, oldest first."""
    return session.scalars(
        select(Webhook).where(Webhook.parser_id == parser_id).order_by(Webhook.created_at, Webhook.id)
    ).all()


def view(webhook: Webhook) -> WebhookView:
    """Return a webhook's row as a view."""
    return WebhookView(
        id=webhook.id,
        parser_id=webhook.parser_id,
        url=webhook.url,
        name=webhook.name,
        description=webhook.description,
        events=webhook.events,
        headers=dict.fromkeys(webhook.headers, MASK),
        value_format=webhook.value_format,
        status=webhook.status,
        last_delivery_at=webhook.last_delivery_at,
        last_status_code=webhook.last_status_code,
        created_at=webhook.created_at,
        updated_at=webhook.updated_at,
    )
