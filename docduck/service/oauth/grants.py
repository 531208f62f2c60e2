"""Grants: what users allowed clients to do for a team. They end at once when they are revoked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import OAuthClient, OAuthGrant, Team, User
from docduck.errors import NotFound
from docduck.ids import is_uuid
from docduck.service.accounts.connections import end_grant
from docduck.service.core.installation import Installation
from docduck.service.core.schema import view_of


@dataclass(frozen=True, slots=True)
class GrantView:
    """A client's access to a team for a user; ``client_id`` is public.

    ``address`` and ``user_agent`` are those of the client when it got its newest tokens.
    """

    id: str
    client: str
    client_id: str
    team_id: str
    team: str
    user_id: str
    user: str
    email: str
    scopes: tuple[str, ...]
    created_at: dt.datetime
    last_used_at: dt.datetime | None
    expires_at: dt.datetime
    address: str | None
    user_agent: str | None


def list_grants(
    inst: Installation, *, team_id: str | None = None, user_id: str | None = None
) -> Sequence[GrantView]:
    """Return the grants that are in use, of a team, a user, or both, newest first."""
    with inst.catalog.read_session() as session:
        return _grants(session, *_of(team_id, user_id))


def revoke_grant(
    inst: Installation, grant_id: str, actor: str, *, team_id: str | None = None, user_id: str | None = None
) -> GrantView:
    """End a grant of a team, a user, or both, with all its tokens; raise NotFound."""
    if not is_uuid(grant_id):
        raise _not_found(grant_id)
    mine = (OAuthGrant.id == grant_id.lower(), *_of(team_id, user_id))
    with inst.catalog.transaction(durable=True) as session:
        grant = session.scalar(select(OAuthGrant).where(*mine).with_for_update())
        view = next(iter(_grants(session, *mine)), None)
        if grant is None or view is None:
            raise _not_found(grant_id)
        end_grant(session, grant, actor)
        return view


def _of(team_id: str | None, user_id: str | None) -> list[ColumnElement[bool]]:
    assert team_id is not None or user_id is not None
    mine = []
    if team_id is not None:
        mine.append(OAuthGrant.team_id == team_id)
    if user_id is not None:
        mine.append(OAuthGrant.user_id == user_id)
    return mine


def _grants(session: Session, *mine: ColumnElement[bool]) -> list[GrantView]:
    rows = session.execute(
        select(OAuthGrant, OAuthClient.name, OAuthClient.client_id, Team.name, User.name, User.email)
        .join(OAuthClient, OAuthClient.id == OAuthGrant.client_ref)
        .join(Team, Team.id == OAuthGrant.team_id)
        .join(User, User.id == OAuthGrant.user_id)
        .where(*mine, OAuthGrant.code_used_at.is_not(None), OAuthGrant.expires_at > clock.now())
        .order_by(OAuthGrant.created_at.desc(), OAuthGrant.id)
    )
    names = ("client", "client_id", "team", "user", "email")
    return [
        view_of(GrantView, grant, scopes=tuple(grant.scopes), **dict(zip(names, named, strict=True)))
        for grant, *named in rows
    ]


def _not_found(grant_id: str) -> NotFound:
    return NotFound("Connection not found", "connectionId", grant_id)
