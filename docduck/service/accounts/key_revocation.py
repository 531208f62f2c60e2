"""Revoking API keys, and what the audit log says of them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import ApiKey
from docduck.service.core import audit


def revoke(session: Session, key: ApiKey, actor: str) -> None:
    """Revoke a key unless it is."""
    if key.revoked_at is None:
        before = key_facts(key)
        key.revoked_at = clock.now()
        record_key(session, key, actor, "key.revoked", **audit.changes(before, key_facts(key)))


def revoke_keys_of(session: Session, team_id: str, user_id: str, actor: str) -> None:
    """Revoke the keys that a user created for a team."""
    theirs = select(ApiKey).where(ApiKey.team_id == team_id, ApiKey.created_by == user_id)
    for key in session.scalars(theirs.order_by(ApiKey.id).with_for_update()).all():
        revoke(session, key, actor)


def record_key(session: Session, key: ApiKey, actor: str, action: str, **more: Any) -> None:
    """Record in the audit log what happened to a key."""
    audit.record(session, key.team_id, actor, action, "key", [(key.id, {**key_facts(key), **more})])


def key_facts(key: ApiKey) -> dict[str, Any]:
    """Return what the audit log says of a key: nothing that lets anybody use it."""
    return {
        "name": key.name,
        "prefix": key.prefix,
        "permissions": key.permissions,
        "parserIds": key.parser_ids,
        "expiresAt": key.expires_at and clock.iso(key.expires_at),
        "revokedAt": key.revoked_at and clock.iso(key.revoked_at),
    }
