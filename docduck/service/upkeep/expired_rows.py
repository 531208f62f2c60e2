"""Rows that have had their time: sessions, links, grants, requests, and records of exports and deliveries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, exists, or_

from docduck import clock
from docduck.catalog.models import (
    DeletedDocument,
    Document,
    Export,
    FiredEvent,
    FormerResult,
    IdempotentRequest,
    Invitation,
    OAuthClient,
    OAuthGrant,
    OAuthToken,
    PasswordReset,
    UserSession,
    WebhookDelivery,
    WebhookSnapshot,
)
from docduck.service.core.installation import Installation
from docduck.service.core.transactions import delete_in_steps
from docduck.service.corrections.former_results import KEPT as KEPT_FORMER
from docduck.service.documents.deletion_log import kept_deletions
from docduck.service.documents.event_log import KEPT as KEPT_EVENTS
from docduck.service.requests.idempotency import KEPT
from docduck.settings import Settings

KEEP_EXPORTS_DAYS = 90
"""How long the records of exports are kept."""


def delete_expired_rows(inst: Installation) -> dict[str, int]:
    """Delete the rows of all teams that have expired; return how many, by table."""
    expired = _expired(inst.settings, clock.now())
    return {table.__tablename__: delete_in_steps(inst, table, *which) for table, *which in expired}


def _expired(settings: Settings, now: dt.datetime) -> Iterator[tuple[Any, *tuple[ColumnElement[bool], ...]]]:
    yield IdempotentRequest, IdempotentRequest.begun_at < now - KEPT
    idle = dt.timedelta(hours=settings.session_idle_hours)
    yield UserSession, or_(UserSession.expires_at <= now, UserSession.last_used_at < now - idle)
    yield Invitation, Invitation.expires_at <= now
    yield PasswordReset, PasswordReset.expires_at <= now
    yield OAuthToken, OAuthToken.expires_at <= now
    yield OAuthGrant, OAuthGrant.expires_at <= now
    yield OAuthClient, OAuthClient.keep_until <= now, ~exists().where(OAuthGrant.client_ref == OAuthClient.id)
    # Files that are kept or unfinished need their record. What an incremental export had is recorded apart.
    old_export = Export.created_at < now - dt.timedelta(days=KEEP_EXPORTS_DAYS)
    yield Export, old_export, Export.sha256.is_(None), Export.part.is_(None)
    yield DeletedDocument, DeletedDocument.deleted_at < now - kept_deletions(settings)
    yield FormerResult, FormerResult.replaced_at < now - KEPT_FORMER
    yield FiredEvent, FiredEvent.created_at < now - KEPT_EVENTS
    # Deliveries go with their snapshots: at a certain age, or when the document or the webhook was deleted.
    mine = WebhookDelivery.snapshot_id == WebhookSnapshot.id
    useless = or_(
        WebhookSnapshot.created_at < now - dt.timedelta(days=settings.keep_deliveries_days),
        ~exists().where(mine),
        ~exists().where(Document.id == WebhookSnapshot.document_id),
    )
    yield WebhookSnapshot, ~exists().where(mine, WebhookDelivery.status == "pending"), useless
