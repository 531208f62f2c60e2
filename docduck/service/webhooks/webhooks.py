"""The webhooks of a parser, or of all parsers of a team: finding, showing and deleting them.

Without a ``parser_ref``, functions are about the team's webhooks.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Team, Webhook
from docduck.errors import NotFound
from docduck.ids import is_uuid
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import find
from docduck.service.schemas.webhooks import WebhookView

MASK = "***"
"""What is shown in place of a header's value."""


def list_webhooks(inst: Installation, team_id: str, parser_ref: str | None) -> list[WebhookView]:
    """Return a parser's or the team's webhooks, oldest first; raise NotFound."""
    with inst.catalog.read_session() as session:
        parser_id = owner_id(session, team_id, parser_ref)
        return [view(webhook) for webhook in webhooks_of(session, team_id, parser_id)]


def get_webhook(inst: Installation, team_id: str, parser_ref: str | None, webhook_id: str) -> WebhookView:
    """Return a webhook; raise NotFound for it or the parser."""
    with inst.catalog.read_session() as session:
        return view(find_webhook(session, team_id, parser_ref, webhook_id))


def delete_webhook(
    inst: Installation, team_id: str, parser_ref: str | None, webhook_id: str, actor: str = "user"
) -> str:
    """Delete a webhook with its deliveries, also those that are pending; return its id. Raise NotFound."""
    with inst.catalog.transaction() as session:
        webhook = find_webhook(session, team_id, parser_ref, webhook_id)
        session.delete(webhook)
        entry = (webhook.id, {"parser": webhook.parser_id, "url": webhook.url, "name": webhook.name})
        audit.record(session, team_id, actor, "webhook.deleted", "webhook", [entry])
        return webhook.id


def find_webhook(
    session: Session, team_id: str, parser_ref: str | None, webhook_id: str, *, lock: bool = False
) -> Webhook:
    """Return the row of a webhook, locked if ``lock``; raise NotFound for it or the parser."""
    parser_id = owner_id(session, team_id, parser_ref)
    statement = select(Webhook).where(*_owned(team_id, parser_id), Webhook.id == webhook_id.lower())
    if lock:
        # Events that are being written refer to it, which doesn't conflict.
        statement = statement.with_for_update(key_share=True)
    webhook = session.scalar(statement) if is_uuid(webhook_id) else None
    if webhook is None:
        raise NotFound("Webhook not found", "webhookId", webhook_id)
    return webhook


def owner_id(session: Session, team_id: str, parser_ref: str | None, *, lock: bool = False) -> str | None:
    """Return the id of the parser, None for the team; locked if ``lock``. Raise NotFound."""
    if parser_ref is not None:
        return find(session, team_id, parser_ref, lock=lock).id
    if lock:
        session.execute(select(Team.id).where(Team.id == team_id).with_for_update(key_share=True))
    return None


def webhooks_of(session: Session, team_id: str, parser_id: str | None) -> Sequence[Webhook]:
    """Return the rows of a parser's or the team's webhooks, oldest first."""
    mine = select(Webhook).where(*_owned(team_id, parser_id))
    return session.scalars(mine.order_by(Webhook.created_at, Webhook.id)).all()


def _owned(team_id: str, parser_id: str | None) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    of_owner = Webhook.parser_id.is_(None) if parser_id is None else Webhook.parser_id == parser_id
    return Webhook.team_id == team_id, of_owner


def view(webhook: Webhook) -> WebhookView:
    """Return a webhook's row as a view; the values of its headers are masked."""
    masked = dict.fromkeys(webhook.headers, MASK)
    return WebhookView.of(webhook, headers=masked, is_active=webhook.status == "active")
