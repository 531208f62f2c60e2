"""What webhooks have not delivered."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, case, func, literal_column, or_, select

from docduck.catalog.models import Parser, Webhook, WebhookDelivery
from docduck.service.core.installation import Installation


@dataclass(frozen=True, slots=True)
class WebhookHealth:
    """A webhook with the counts of its deliveries, and when the oldest pending one was due first.

    ``parser`` is a slug, None for a webhook of all; ``failing_since`` is the first failure after the last
    success.
    """

    id: str
    team_id: str
    parser: str | None
    url: str
    status: str
    pending: int
    oldest: dt.datetime | None
    failed: int
    failing_since: dt.datetime | None


_IS_OPEN: ColumnElement[bool] = literal_column("status <> 'succeeded'")
"""With a literal: SQLite uses a partial index only if the condition is in the statement's text."""


def troubled_webhooks(inst: Installation, team_id: str | None = None) -> Sequence[WebhookHealth]:
    """Return the webhooks that are failing or disabled, or have pending or failed deliveries.

    Of one team or of all; failed deliveries count until they are deleted for their age.
    """
    is_pending = WebhookDelivery.status == "pending"
    open_ = (
        select(
            WebhookDelivery.webhook_id,
            func.sum(case((is_pending, 1), else_=0)).label("pending"),
            func.min(case((is_pending, WebhookDelivery.created_at))).label("oldest"),
            func.sum(case((is_pending, 0), else_=1)).label("failed"),
        )
        .where(_IS_OPEN, WebhookDelivery.status != "cancelled")
        .group_by(WebhookDelivery.webhook_id)
        .subquery()
    )
    statement = (
        select(
            Webhook.id,
            Webhook.team_id,
            Parser.slug,
            Webhook.url,
            Webhook.status,
            func.coalesce(open_.c.pending, 0),
            open_.c.oldest,
            func.coalesce(open_.c.failed, 0),
            Webhook.failing_since,
        )
        .outerjoin(Parser, Parser.id == Webhook.parser_id)
        .outerjoin(open_, open_.c.webhook_id == Webhook.id)
        .where(
            Parser.deleted_at.is_(None),
            or_(
                open_.c.webhook_id.is_not(None),
                Webhook.failing_since.is_not(None),
                Webhook.status == "disabled",
            ),
        )
        .order_by(Parser.slug, Webhook.id)
    )
    if team_id is not None:
        statement = statement.where(Webhook.team_id == team_id)
    with inst.catalog.read_session() as session:
        return [WebhookHealth(*row) for row in session.execute(statement)]
