"""Webhooks of a parser and their deliveries."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import (
    Base,
    Created,
    Id,
    Json,
    Moment,
    Ref,
    Short,
    TeamRef,
    Updated,
    one_of,
)

WEBHOOK_STATUSES = ("active", "paused", "disabled")
DELIVERY_STATUSES = ("pending", "succeeded", "failed")


class Webhook(Base):
    """A webhook endpoint.

    Secrets (present and former) are needed for signing, so they are stored encrypted with the installation's
    key, as are the headers, which may hold credentials.
    """

    __tablename__ = "webhooks"
    __table_args__ = (CheckConstraint(one_of("status", WEBHOOK_STATUSES), name="status"),)

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"), index=True)
    url: Mapped[str]
    name: Mapped[str] = mapped_column(default="")
    description: Mapped[str] = mapped_column(default="")
    events: Mapped[Json]
    sealed_headers: Mapped[str | None]
    sealed_secret: Mapped[str]
    sealed_previous_secret: Mapped[str | None]
    previous_secret_expires_at: Mapped[Moment | None]
    is_active: Mapped[bool] = mapped_column(default=True)
    value_format: Mapped[Short] = mapped_column(default="typed")
    status: Mapped[Short] = mapped_column(default="active")
    failing_since: Mapped[Moment | None]
    last_delivery_at: Mapped[Moment | None]
    last_status_code: Mapped[int | None]
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]


class WebhookDelivery(Base):
    """A delivery of an event to an endpoint, with its payload at the time of the event."""

    __tablename__ = "webhook_deliveries"
    __table_args__ = (
        CheckConstraint(one_of("status", DELIVERY_STATUSES), name="status"),
        Index("ix_webhook_deliveries_status_next_attempt_at", "status", "next_attempt_at"),
        Index("ix_webhook_deliveries_webhook_id_created_at", "webhook_id", "created_at"),
    )

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    webhook_id: Mapped[Ref] = mapped_column(ForeignKey("webhooks.id", ondelete="CASCADE"))
    document_id: Mapped[Ref | None]
    event: Mapped[Short]
    payload: Mapped[Json]
    status: Mapped[Short] = mapped_column(default="pending")
    attempts: Mapped[Json]
    next_attempt_at: Mapped[Moment | None]
    lease_expires_at: Mapped[Moment | None]
    created_at: Mapped[Created]
