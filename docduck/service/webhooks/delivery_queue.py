"""The queue of deliveries: claimed under a lease, recorded attempt by attempt.

Several processes may take from it. Locks are taken in one order, webhooks before their deliveries.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, exists, literal_column, or_, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.database import lease_clock
from docduck.catalog.models import Webhook, WebhookDelivery
from docduck.outbound.policy import WEBHOOK_SECONDS
from docduck.owner import is_dead
from docduck.service.core import audit
from docduck.service.core.installation import Installation

FAILING_DAYS = 5
"""Without a success, after which a webhook is disabled."""

LEASE_MARGIN_SECONDS = 120.0
"""The lease is so much longer than a delivery, for claiming and recording it on a busy catalog."""

MOST_ATTEMPTS = 50
"""Attempts of a delivery that are kept, the newest; people can retry without end."""

DELAYS = (0, 5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600)
"""The seconds between an attempt and the one before; eight attempts within 28 to 30 hours."""

JITTER = 0.1
"""Each delay is prolonged by a random share up to this."""

LONGEST_WAIT_SECONDS = 24 * 3600
"""The longest time that a receiver's Retry-After is honoured."""

_ACTOR = "webhooks"
_GONE = 410
_WAITING = frozenset({429, 503})
"""Statuses whose Retry-After counts."""


@dataclass(frozen=True, slots=True)
class ClaimedDelivery:
    """A delivery that ``owner`` is to send."""

    id: str
    webhook_id: str
    snapshot_id: str
    event: str
    team_id: str
    document_id: str
    owner: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt of a delivery: the receiver's status, or why there is none."""

    delivery: ClaimedDelivery
    at: dt.datetime
    status: int | None
    seconds: float
    error: str | None = None
    retry_after: float | None = None

    @property
    def has_succeeded(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    def as_json(self) -> dict[str, Any]:
        """Return the API's object."""
        return {
            "at": clock.iso(self.at),
            "statusCode": self.status,
            "durationMs": round(self.seconds * 1000),
            "error": None if self.has_succeeded else failure(self.status, self.error),
        }


def failure(status: int | None, error: str | None) -> str:
    """Return why an attempt failed."""
    if status is None:
        return error or "there is no response"
    suffix = "; redirects are not followed" if 300 <= status < 400 else ""
    return f"the server answered {status}{suffix}"


def next_delay(attempts: int, retry_after: float | None = None, chance: float | None = None) -> float | None:
    """Return the seconds until the next attempt after ``attempts`` failed ones; None after the last.

    The receiver's ``retry_after`` prolongs it. ``chance`` is the jitter, 0–1, random by default.
    """
    if attempts >= len(DELAYS):
        return None
    delay = DELAYS[attempts] * (1 + JITTER * (random.random() if chance is None else chance))
    return max(delay, min(retry_after or 0.0, LONGEST_WAIT_SECONDS))


def due_webhooks(inst: Installation, at: dt.datetime | None = None) -> list[str]:
    """Return the webhooks with deliveries that are due, and that nobody has claimed."""
    with inst.catalog.read_session() as session:
        return list(
            session.scalars(select(Webhook.id).where(exists().where(*_due(Webhook.id, at or clock.now()))))
        )


def is_neglected(inst: Installation, seconds: float) -> bool:
    """Return whether deliveries have been due for ``seconds``, and no process is sending any."""
    if not due_webhooks(inst, clock.now() - dt.timedelta(seconds=seconds)):
        return False
    with inst.catalog.read_session() as session:
        held = (
            WebhookDelivery.claimed_by.is_not(None),
            WebhookDelivery.lease_expires_at > lease_clock(session),
        )
        owners = session.scalars(select(WebhookDelivery.claimed_by).where(*held).distinct()).all()
    return all(is_dead(str(owner)) for owner in owners)


def claim(inst: Installation, shares: Mapping[str, int], owner: str) -> list[ClaimedDelivery]:
    """Claim due deliveries, of each webhook at most its share, those that are due longest first."""
    if not shares:
        return []
    moment = clock.now()
    with inst.catalog.transaction() as session:
        lease = lease_clock(session) + dt.timedelta(seconds=WEBHOOK_SECONDS + LEASE_MARGIN_SECONDS)
        deliveries = [
            ClaimedDelivery(*row, owner=owner)
            for webhook_id, count in shares.items()
            for row in session.execute(
                select(
                    WebhookDelivery.id,
                    WebhookDelivery.webhook_id,
                    WebhookDelivery.snapshot_id,
                    WebhookDelivery.event,
                    WebhookDelivery.team_id,
                    WebhookDelivery.document_id,
                )
                .where(*_due(webhook_id, moment))
                .order_by(WebhookDelivery.next_attempt_at)
                .limit(count)
                .with_for_update(skip_locked=True)
            )
        ]
        _update(session, [delivery.id for delivery in deliveries], claimed_by=owner, lease_expires_at=lease)
    return deliveries


def record(inst: Installation, attempts: Sequence[Attempt]) -> None:
    """Record attempts and plan the next ones; ignore those whose claims are lost."""
    if not attempts:
        return
    by_webhook: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        by_webhook.setdefault(attempt.delivery.webhook_id, []).append(attempt)
    with inst.catalog.transaction() as session:
        # Locked without keys: events that are being written refer to them, which doesn't conflict.
        webhooks = session.scalars(
            select(Webhook)
            .where(Webhook.id.in_(by_webhook))
            .order_by(Webhook.id)
            .with_for_update(key_share=True)
            .execution_options(populate_existing=True)
        ).all()
        for webhook in webhooks:
            _record(session, webhook, by_webhook[webhook.id])


def release(inst: Installation, deliveries: Iterable[ClaimedDelivery]) -> None:
    """Give up claims whose deliveries were not sent."""
    ids = [delivery.id for delivery in deliveries]
    if ids:
        with inst.catalog.transaction() as session:
            _release(session, ids)


def release_lost(inst: Installation) -> None:
    """Give up the claims whose lease has expired or whose owner is dead."""
    claimed = WebhookDelivery.claimed_by.is_not(None)
    with inst.catalog.read_session() as session:
        owners = session.scalars(select(WebhookDelivery.claimed_by).where(claimed).distinct()).all()
        dead = [owner for owner in owners if owner and is_dead(owner)]
        has_expired = WebhookDelivery.lease_expires_at < lease_clock(session)
        lost = or_(WebhookDelivery.claimed_by.in_(dead), has_expired)
        if not session.scalar(select(exists().where(claimed, lost))):
            return
    with inst.catalog.transaction() as session:
        rows = select(WebhookDelivery.id).where(claimed, lost).with_for_update(skip_locked=True)
        _release(session, session.scalars(rows).all())


_IS_PENDING = WebhookDelivery.status == literal_column("'pending'")
"""With a literal: SQLite uses a partial index only if the condition is in the statement's text."""


def _due(webhook_id: Any, moment: dt.datetime) -> tuple[Any, ...]:
    """Return the conditions of a webhook's deliveries that are due."""
    return (
        WebhookDelivery.webhook_id == webhook_id,
        _IS_PENDING,
        WebhookDelivery.claimed_by.is_(None),
        WebhookDelivery.next_attempt_at <= moment,
    )


def _release(session: Session, ids: Sequence[str]) -> None:
    """Remove claims; pending deliveries of webhooks that are not active any more wait, or have failed."""
    _update(session, ids, claimed_by=None, lease_expires_at=None)
    for status, changes in (
        ("paused", {"next_attempt_at": None}),
        ("disabled", {"next_attempt_at": None, "status": "failed"}),
    ):
        webhooks = select(Webhook.id).where(Webhook.status == status)
        _update(session, ids, WebhookDelivery.webhook_id.in_(webhooks), _IS_PENDING, **changes)


def _update(session: Session, ids: Sequence[str], *where: ColumnElement[bool], **changes: Any) -> None:
    if ids:
        session.execute(
            update(WebhookDelivery)
            .where(WebhookDelivery.id.in_(ids), *where)
            .values(**changes)
            .execution_options(synchronize_session=False)
        )


def _record(session: Session, webhook: Webhook, attempts: Sequence[Attempt]) -> None:
    """Record attempts of one locked webhook."""
    rows = {
        row.id: row
        for row in session.scalars(
            select(WebhookDelivery)
            .where(WebhookDelivery.id.in_([attempt.delivery.id for attempt in attempts]))
            .order_by(WebhookDelivery.id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )
    }
    held = [
        attempt
        for attempt in sorted(attempts, key=lambda attempt: attempt.at)
        if attempt.delivery.id in rows and rows[attempt.delivery.id].claimed_by == attempt.delivery.owner
    ]
    if not held:
        return
    status, failing_since = webhook.status, webhook.failing_since
    for attempt in held:
        failing_since = None if attempt.has_succeeded else failing_since or attempt.at
        if status == "active" and _is_given_up(attempt, failing_since):
            status = "disabled"
    for attempt in held:
        _end_attempt(rows[attempt.delivery.id], attempt, status)
    session.flush()
    session.execute(
        update(Webhook)
        .where(Webhook.id == webhook.id)
        .values(
            status=status,
            failing_since=failing_since,
            last_delivery_at=held[-1].at,
            last_status_code=held[-1].status,
            updated_at=clock.now() if status != webhook.status else Webhook.updated_at,
        )
        .execution_options(synchronize_session=False)
    )
    if status != webhook.status:
        _end_pending(session, webhook)
        reason = failure(held[-1].status, held[-1].error)
        entry = (webhook.id, {"changed": ["status"], "after": {"status": status}, "reason": reason})
        audit.record(session, webhook.team_id, _ACTOR, "webhook.disabled", "webhook", [entry])


def _is_given_up(attempt: Attempt, failing_since: dt.datetime | None) -> bool:
    """Return whether the receiver wants no more, or has failed for too long."""
    limit = dt.timedelta(days=FAILING_DAYS)
    return attempt.status == _GONE or (failing_since is not None and attempt.at - failing_since >= limit)


def _end_attempt(row: WebhookDelivery, attempt: Attempt, webhook_status: str) -> None:
    """Add an attempt to a delivery, which ends or is tried again; while its webhook is paused, it waits.

    One that was cancelled while it was sent is not tried again.
    """
    row.attempts = [*row.attempts, attempt.as_json()][-MOST_ATTEMPTS:]
    row.claimed_by = row.lease_expires_at = row.next_attempt_at = None
    if attempt.has_succeeded:
        row.status = "succeeded"
        return
    if row.status == "cancelled":
        return
    delay = next_delay(len(row.attempts), attempt.retry_after if attempt.status in _WAITING else None)
    if delay is None or webhook_status == "disabled":
        row.status = "failed"
    elif webhook_status == "active":
        row.next_attempt_at = clock.now() + dt.timedelta(seconds=delay)


def _end_pending(session: Session, webhook: Webhook) -> None:
    """Fail the deliveries that a webhook that was disabled still has."""
    session.execute(
        update(WebhookDelivery)
        .where(
            WebhookDelivery.webhook_id == webhook.id,
            WebhookDelivery.status == "pending",
            WebhookDelivery.claimed_by.is_(None),
        )
        .values(status="failed", next_attempt_at=None)
        .execution_options(synchronize_session=False)
    )
