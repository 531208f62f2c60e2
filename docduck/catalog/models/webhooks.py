"""Webhooks of parsers and teams, and the deliveries of events to them."""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, Integer
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import (
    Base,
    CompressedJson,
    Created,
    Id,
    Json,
    Moment,
    Ref,
    Short,
    TeamRef,
    UnindexedTeamRef,
    Updated,
    one_of,
    partial_index,
)
from docduck.ids import new_id

EXPORTED, PROCESSED, IN_REVIEW = "document.exported", "document.processed", "document.in_review"
APPROVED, REJECTED, FAILED = "document.approved", "document.rejected", "document.failed"
SKIPPED, UPDATED, TEST = "document.skipped", "document.updated", "webhook.test"
WEBHOOK_EVENTS = (EXPORTED, PROCESSED, IN_REVIEW, APPROVED, REJECTED, FAILED, SKIPPED, UPDATED, TEST)
ANY_EVENT = "*"
"""A subscription to all events."""

WEBHOOK_STATUSES = ("active", "paused", "disabled")
VALUE_FORMATS = ("typed", "string")
DELIVERY_STATUSES = ("pending", "succeeded", "failed", "cancelled")
"""It is ``cancelled`` when its document was deleted, or the approval undone, before it was sent."""


class Webhook(Base):
    """An endpoint to which events of a parser's documents are sent, or without a parser those of the team.

    The secrets that sign, and the values of ``headers`` (by name), are sealed; ``previous_secrets`` are
    ``{"sealed", "expiresAt"}``, the newest first. A person has ``paused`` it;
    it is ``disabled`` when the receiver has failed for days or asked for no more. ``failing_since`` is the
    first failure after the last success.
    """

    __tablename__ = "webhooks"
    __table_args__ = (
        CheckConstraint(one_of("status", WEBHOOK_STATUSES), name="status"),
        CheckConstraint(one_of("value_format", VALUE_FORMATS), name="value_format"),
    )

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    parser_id: Mapped[Ref | None] = mapped_column(ForeignKey("parsers.id", ondelete="CASCADE"), index=True)
    url: Mapped[str]
    name: Mapped[str] = mapped_column(default="")
    description: Mapped[str] = mapped_column(default="")
    events: Mapped[Json]
    headers: Mapped[Json]
    sealed_secret: Mapped[str]
    previous_secrets: Mapped[Json | None]
    value_format: Mapped[Short] = mapped_column(default="typed")
    status: Mapped[Short] = mapped_column(default="active")
    failing_since: Mapped[Moment | None]
    last_delivery_at: Mapped[Moment | None]
    last_status_code: Mapped[int | None]
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]


class FiredEvent(Base):
    """An event of a document, whether a webhook subscribes to it or not.

    ``number`` is the order in which events of a team become visible. ``snapshot_id`` is what deliveries of it
    send, as long as that is kept.
    """

    __tablename__ = "fired_events"
    __table_args__ = (
        Index("ix_fired_events_team_id_number", "team_id", "number"),
        {"sqlite_autoincrement": True},
    )

    number: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True
    )
    id: Mapped[Ref] = mapped_column(unique=True, default=new_id)
    team_id: Mapped[UnindexedTeamRef]
    parser_id: Mapped[Ref]
    document_id: Mapped[Ref]
    event: Mapped[Short]
    snapshot_id: Mapped[Ref | None]
    created_at: Mapped[Created] = mapped_column(index=True)


class WebhookSnapshot(Base):
    """A document at the moment of an event, as its deliveries describe it, however late they are.

    ``facts`` are its metadata, ``fields`` the parser's fields at that moment, ``values`` by field id, or null
    if there are none or they are too large. The document may have been deleted since.
    """

    __tablename__ = "webhook_snapshots"

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    document_id: Mapped[Ref] = mapped_column(index=True)
    facts: Mapped[Json]
    fields: Mapped[Json]
    values: Mapped[CompressedJson | None]
    created_at: Mapped[Created] = mapped_column(index=True)


class WebhookDelivery(Base):
    """A delivery of an event to a webhook: the outbox, and the log.

    It is due at ``next_attempt_at``, which is null when it has ended, or while the webhook is paused. The
    process that sends it has claimed it until the lease expires. A webhook has one of each ``event_id``;
    older deliveries have none.
    """

    __tablename__ = "webhook_deliveries"
    __table_args__ = (
        CheckConstraint(one_of("status", DELIVERY_STATUSES), name="status"),
        partial_index(
            *("status = 'pending' AND claimed_by IS NULL", "ix_webhook_deliveries_due"),
            *("webhook_id", "next_attempt_at"),
        ),
        partial_index("claimed_by IS NOT NULL", "ix_webhook_deliveries_claimed", "claimed_by"),
        partial_index(
            *("status <> 'succeeded'", "ix_webhook_deliveries_open"), *("webhook_id", "status", "created_at")
        ),
        Index("ix_webhook_deliveries_webhook_id_created_at", "webhook_id", "created_at", "id"),
        Index("uq_webhook_deliveries_webhook_id_event_id", "webhook_id", "event_id", unique=True),
    )

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    webhook_id: Mapped[Ref] = mapped_column(ForeignKey("webhooks.id", ondelete="CASCADE"))
    snapshot_id: Mapped[Ref] = mapped_column(
        ForeignKey("webhook_snapshots.id", ondelete="CASCADE"), index=True
    )
    document_id: Mapped[Ref]
    event: Mapped[Short]
    event_id: Mapped[Ref | None]
    status: Mapped[Short] = mapped_column(default="pending")
    attempts: Mapped[Json]
    next_attempt_at: Mapped[Moment | None]
    claimed_by: Mapped[str | None]
    lease_expires_at: Mapped[Moment | None]
    created_at: Mapped[Created]
