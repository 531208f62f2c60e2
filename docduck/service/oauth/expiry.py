"""Deletion of what has expired: tokens, grants, and clients that nobody uses."""

from __future__ import annotations

from sqlalchemy import delete, exists, select

from docduck import clock
from docduck.catalog.models import OAuthClient, OAuthGrant, OAuthToken
from docduck.service.core.installation import Installation

_STEP = 500


def delete_expired(inst: Installation) -> int:
    """Delete expired tokens and grants, and unused clients; return how many rows."""
    moment = clock.now()
    unused = ~exists().where(OAuthGrant.client_ref == OAuthClient.id)
    deleted = 0
    for table, is_old in (
        (OAuthToken, OAuthToken.expires_at <= moment),
        (OAuthGrant, OAuthGrant.expires_at <= moment),
        (OAuthClient, (OAuthClient.keep_until <= moment) & unused),
    ):
        while True:
            with inst.catalog.transaction() as session:
                ids = session.scalars(
                    select(table.id).where(is_old).limit(_STEP).with_for_update(skip_locked=True)
                ).all()
                session.execute(delete(table).where(table.id.in_(ids)))
            deleted += len(ids)
            if len(ids) < _STEP:
                break
    return deleted
