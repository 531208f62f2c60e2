"""Access and refresh tokens: opaque texts for one client, user, team and resource.

A refresh token is used once. A client that missed the answer may repeat the request for a minute, and gets
the same tokens; whoever uses it later, or when the next one was used already, may have stolen it, so the
whole grant ends.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Membership, OAuthClient, OAuthGrant, OAuthToken
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.connections import end_grant
from docduck.service.accounts.permissions import ROLES
from docduck.service.accounts.sessions import Browser
from docduck.service.core.installation import Installation
from docduck.service.core.key_usage import NOTED_EVERY
from docduck.service.core.secrets import base64url, new_token, secret_digest, signature_of
from docduck.service.oauth.protocol import SCOPES, OAuthError, is_same
from docduck.settings import Settings

ACCESS_MINUTES = 15
REFRESH_DAYS = 30
"""Without use."""

REPEATED_WITHIN = dt.timedelta(seconds=60)
"""Time in which a refresh token that was used gets the same successor."""

_SUCCESSORS = "docduck oauth successors 1"

_BY_DIGEST = (
    select(
        OAuthToken.scopes,
        OAuthToken.expires_at,
        OAuthGrant.id,
        OAuthGrant.user_id,
        OAuthGrant.team_id,
        OAuthGrant.resource,
        OAuthGrant.last_used_at,
        Membership.role,
    )
    .join(OAuthGrant, OAuthGrant.id == OAuthToken.grant_id)
    .join(
        Membership,
        (Membership.team_id == OAuthGrant.team_id) & (Membership.user_id == OAuthGrant.user_id),
    )
    .where(OAuthToken.sha256 == bindparam("digest"), OAuthToken.kind == "access")
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """A new access token with its refresh token; ``expires_in`` is in seconds."""

    access: str = field(repr=False)
    refresh: str = field(repr=False)
    expires_in: int
    scopes: tuple[str, ...]


def check_access_token(inst: Installation, text: str, resource: str) -> TeamUser | None:
    """Return the user for whom an access token for ``resource`` acts; None if it is not valid.

    They may do what they consented to, as far as their role still allows it.
    """
    moment = clock.now()
    with inst.catalog.reading() as connection:
        row = connection.execute(_BY_DIGEST, {"digest": secret_digest(text)}).one_or_none()
    if row is None or row.expires_at <= moment or row.resource != resource:
        return None
    if row.last_used_at is None or moment - row.last_used_at >= NOTED_EVERY:
        inst.grant_uses.note(row.id, moment)
    permissions = ROLES[row.role].intersection(row.scopes)
    return TeamUser(row.team_id, row.user_id, permissions, None, row.user_id, row.role)


def refresh_tokens(
    inst: Installation,
    client_id: str,
    text: str,
    resource: str | None,
    scopes: Collection[str] | None,
    sender: Browser,
) -> Tokens:
    """Return new tokens for a refresh token, with fewer scopes if asked to; raise OAuthError.

    A second use of the same refresh token returns the same tokens for a minute, and later, or once the
    successor was used, ends the grant.
    """
    access, refresh = (_successor(inst.settings, kind, text) for kind in ("access", "refresh"))
    if not _is_known(inst, text):
        raise _invalid_grant()
    with inst.catalog.transaction(durable=True) as session:
        token, grant = _locked(session, text, "refresh")
        if grant is not None and token is not None and not _is_stolen(session, token, refresh):
            _check_client(session, grant, client_id)
            if token.expires_at <= clock.now():
                raise _invalid_grant()
            check_resource(grant, resource)
            narrowed = _narrowed(grant.scopes, scopes)
            if token.used_at is not None:
                return _issued(session, access, refresh)
            token.used_at = clock.now()
            return issue(session, grant, sender, narrowed, access, refresh)
        if grant is not None:
            end_grant(session, grant, "oauth", "a refresh token was used twice")
    raise _invalid_grant()


def revoke_token(inst: Installation, client_id: str, text: str) -> None:
    """End an access token, or with a refresh token its whole grant (RFC 7009).

    Nothing happens if the token is unknown; raise OAuthError if it is another client's.
    """
    if not _is_known(inst, text):
        return
    with inst.catalog.transaction(durable=True) as session:
        token, grant = _locked(session, text)
        if token is None or grant is None:
            return
        _check_client(session, grant, client_id)
        if token.kind == "access":
            session.delete(token)
        else:
            end_grant(session, grant, grant.user_id, "the client ended it")


def issue(
    session: Session,
    grant: OAuthGrant,
    sender: Browser,
    scopes: Iterable[str] | None = None,
    access: str | None = None,
    refresh: str | None = None,
) -> Tokens:
    """Return new tokens of a grant for the client that asks from ``sender``, random unless given.

    ``scopes`` limits those of the access token.
    """
    moment = clock.now()
    role = session.scalar(
        select(Membership.role).where(
            Membership.team_id == grant.team_id, Membership.user_id == grant.user_id
        )
    )
    if role is None:
        raise _invalid_grant()
    granted = set(grant.scopes if scopes is None else scopes) & ROLES[role]
    allowed = tuple(scope for scope in SCOPES if scope in granted)
    if not allowed:
        raise OAuthError("invalid_grant", "The user's role in the team allows none of it any more")
    life = dt.timedelta(minutes=ACCESS_MINUTES)
    grant.expires_at = moment + dt.timedelta(days=REFRESH_DAYS)
    for name, value in sender.stored().items():
        setattr(grant, name, value)
    access, refresh = access or new_token("docduck_access_"), refresh or new_token("docduck_refresh_")
    for kind, text, held, ends in (
        ("access", access, list(allowed), moment + life),
        ("refresh", refresh, grant.scopes, grant.expires_at),
    ):
        session.add(
            OAuthToken(grant_id=grant.id, kind=kind, sha256=secret_digest(text), scopes=held, expires_at=ends)
        )
    return Tokens(access, refresh, int(life.total_seconds()), allowed)


def _successor(settings: Settings, kind: str, token: str) -> str:
    """Return the text of the token that follows a refresh token, the same each time."""
    return f"docduck_{kind}_{base64url(signature_of(settings, _SUCCESSORS, f'{kind} {token}'))}"


def _is_stolen(session: Session, token: OAuthToken, successor: str) -> bool:
    """Return whether a refresh token comes again later than from a client that missed the answer.

    Who has used the successor did not miss it.
    """
    if token.used_at is None:
        return False
    used = select(OAuthToken.used_at).where(OAuthToken.sha256 == secret_digest(successor))
    return clock.now() - token.used_at > REPEATED_WITHIN or session.scalar(used) is not None


def _issued(session: Session, access: str, refresh: str) -> Tokens:
    """Return tokens that were issued before; raise OAuthError if the access token was ended meanwhile."""
    row = session.scalar(select(OAuthToken).where(OAuthToken.sha256 == secret_digest(access)))
    if row is None:
        raise _invalid_grant()
    left = max(0, int((row.expires_at - clock.now()).total_seconds()))
    return Tokens(access, refresh, left, tuple(row.scopes))


def check_resource(grant: OAuthGrant, resource: str | None) -> None:
    """Raise OAuthError if tokens are asked for another audience than the grant's."""
    if resource is not None and not is_same(resource, grant.resource):
        raise OAuthError("invalid_target", "The grant is for another resource")


def _is_known(inst: Installation, text: str) -> bool:
    """Return whether there is such a token; guesses must not take the lock of writers."""
    with inst.catalog.read_session() as session:
        return (
            session.scalar(select(OAuthToken.id).where(OAuthToken.sha256 == secret_digest(text))) is not None
        )


def _locked(
    session: Session, text: str, kind: str | None = None
) -> tuple[OAuthToken | None, OAuthGrant | None]:
    """Return a token and its grant, which nobody else changes meanwhile."""
    mine = OAuthToken.sha256 == secret_digest(text)
    grant_id = session.scalar(select(OAuthToken.grant_id).where(mine))
    grant = grant_id and session.scalar(select(OAuthGrant).where(OAuthGrant.id == grant_id).with_for_update())
    if not grant:
        return None, None
    token = session.scalar(select(OAuthToken).where(mine).execution_options(populate_existing=True))
    if token is None or (kind is not None and token.kind != kind):
        return None, None
    return token, grant


def _check_client(session: Session, grant: OAuthGrant, client_id: str) -> None:
    owner = session.scalar(select(OAuthClient.client_id).where(OAuthClient.id == grant.client_ref))
    if owner != client_id:
        raise OAuthError("invalid_grant", "The token was given to another client")


def _narrowed(granted: Collection[str], requested: Collection[str] | None) -> Collection[str]:
    if requested is None:
        return granted
    if not requested or not set(requested) <= set(granted):
        raise OAuthError("invalid_scope", "The user did not consent to these scopes")
    return requested


def _invalid_grant() -> OAuthError:
    return OAuthError("invalid_grant", "The refresh token is not valid")
