"""Authorization codes: a user's consent, which the client exchanges for tokens once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select

from docduck import clock
from docduck.catalog.models import OAuthClient, OAuthGrant
from docduck.errors import InputError
from docduck.ids import new_id
from docduck.service.accounts.connections import end_grant, record_grant
from docduck.service.accounts.permissions import ROLES
from docduck.service.accounts.sessions import Browser, SignedIn
from docduck.service.core.installation import Installation
from docduck.service.core.secrets import code_challenge, is_secret, new_token, secret_digest
from docduck.service.oauth.authorization import AuthorizationRequest
from docduck.service.oauth.clients import KEPT_AFTER_USE, Client
from docduck.service.oauth.protocol import SCOPES, OAuthError
from docduck.service.oauth.tokens import Tokens, check_resource, issue

_CODE_SECONDS = 60
_VERIFIER_LENGTHS = range(43, 129)


@dataclass(frozen=True, slots=True)
class Redemption:
    """What a client sends to exchange a code, and from where."""

    client_id: str
    code: str
    verifier: str
    redirect_uri: str
    resource: str | None
    sender: Browser


def offered_scopes(request: AuthorizationRequest, user: SignedIn) -> tuple[str, ...]:
    """Return the scopes that the user's role in the chosen team lets them consent to."""
    role = next(team.role for team in user.teams if team.id == request.team_id)
    return tuple(scope for scope in request.scopes if scope in ROLES[role])


def grant_code(
    inst: Installation,
    request: AuthorizationRequest,
    client: Client,
    user: SignedIn,
    approved: Collection[str],
) -> str:
    """Record the user's consent to the approved scopes, and return the code for the client.

    Raise InputError if a scope was not offered, or none is approved.
    """
    assert request.team_id is not None
    if not approved or not set(approved) <= set(offered_scopes(request, user)):
        raise InputError("Choose at least one of the permissions that were offered")
    code = new_token("docduck_code_")
    grant = OAuthGrant(
        id=new_id(),
        client_ref=client.ref,
        user_id=user.user_id,
        team_id=request.team_id,
        scopes=[scope for scope in SCOPES if scope in set(approved)],
        resource=request.resource,
        code_sha256=secret_digest(code),
        code_challenge=request.code_challenge,
        redirect_uri=request.redirect_uri,
        expires_at=clock.now() + dt.timedelta(seconds=_CODE_SECONDS),
    )
    with inst.catalog.transaction(durable=True) as session:
        session.add(grant)
        session.flush()
        record_grant(session, grant, user.user_id, "connection.created")
    return code


def redeem_code(inst: Installation, redemption: Redemption) -> Tokens:
    """Return the tokens for a code; raise OAuthError.

    A second use ends the grant with all its tokens: the code may have been stolen.
    """
    with inst.catalog.read_session() as session:
        # Guesses don't take the lock of writers.
        this = select(OAuthGrant.id).where(OAuthGrant.code_sha256 == secret_digest(redemption.code))
        if session.scalar(this) is None:
            raise _invalid_grant()
    with inst.catalog.transaction(durable=True) as session:
        grant = session.scalar(
            select(OAuthGrant)
            .where(OAuthGrant.code_sha256 == secret_digest(redemption.code))
            .with_for_update()
        )
        if grant is not None and grant.code_used_at is None:
            client = session.get_one(OAuthClient, grant.client_ref)
            if client.client_id != redemption.client_id or grant.expires_at <= clock.now():
                raise _invalid_grant()
            if redemption.redirect_uri != grant.redirect_uri:
                raise OAuthError("invalid_grant", "redirect_uri is not the one that the code was sent to")
            if not _is_verifier(redemption.verifier, grant.code_challenge):
                raise OAuthError("invalid_grant", "code_verifier does not match the code_challenge")
            check_resource(grant, redemption.resource)
            grant.code_used_at = clock.now()
            client.keep_until = clock.now() + KEPT_AFTER_USE
            return issue(session, grant, redemption.sender)
        if grant is not None:
            end_grant(session, grant, "oauth", "an authorization code was used twice")
    raise _invalid_grant()


def _is_verifier(verifier: str, challenge: str) -> bool:
    if len(verifier) not in _VERIFIER_LENGTHS or not verifier.isascii():
        return False
    return is_secret(challenge, code_challenge(verifier))


def _invalid_grant() -> OAuthError:
    return OAuthError("invalid_grant", "The code is not valid")
