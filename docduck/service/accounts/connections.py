"""Ending what users allowed clients to do: their OAuth grants."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import OAuthClient, OAuthGrant
from docduck.service.core import audit


def end_grant(session: Session, grant: OAuthGrant, actor: str, reason: str | None = None) -> None:
    """Delete a grant with its tokens; the audit log keeps what it was."""
    record_grant(session, grant, actor, "connection.revoked", **({"reason": reason} if reason else {}))
    session.delete(grant)
    session.flush()


def end_grants(
    session: Session, user_id: str, reason: str, actor: str | None = None, team_id: str | None = None
) -> None:
    """End the grants of a user, in all their teams or in one, also those whose code is not redeemed yet."""
    theirs = select(OAuthGrant).where(OAuthGrant.user_id == user_id).order_by(OAuthGrant.id)
    if team_id is not None:
        theirs = theirs.where(OAuthGrant.team_id == team_id)
    for grant in session.scalars(theirs.with_for_update()).all():
        end_grant(session, grant, actor or user_id, reason)


def record_grant(session: Session, grant: OAuthGrant, actor: str, action: str, **more: Any) -> None:
    """Record in the audit log what happened to a grant: nothing that lets anybody use it."""
    client = session.get_one(OAuthClient, grant.client_ref)
    details = {
        "client": client.name,
        "clientId": client.client_id,
        "userId": grant.user_id,
        "scopes": grant.scopes,
        **more,
    }
    audit.record(session, grant.team_id, actor, action, "connection", [(grant.id, details)])
