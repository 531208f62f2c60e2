"""Who signs in by OpenID Connect (OIDC), and who is refused: the code flow with PKCE, state and nonce.

What has to be known when the browser comes back is sealed in a cookie, so that only the browser that began
can finish.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import User, UserIdentity
from docduck.errors import InputError
from docduck.ids import new_id
from docduck.service.accounts.accounts import checked_email
from docduck.service.accounts.openid.provider import OpenIdProvider, ProviderRefused
from docduck.service.accounts.password_reset import replace_password
from docduck.service.core.audit import record_for_user
from docduck.service.core.installation import Installation
from docduck.service.core.sealing import SealBroken, seal, unseal
from docduck.service.core.secrets import code_challenge, is_secret, new_token
from docduck.service.core.transactions import repeated_if_overtaken

SECONDS = 600
"""How long a user may take at the provider."""

_CONTEXT = "openid sign-in"
_LONGEST_SUBJECT, _LONGEST_NAME = 255, 200


class _Attempt(msgspec.Struct):
    """A sign-in that began; ``path`` is where to go on afterwards, ``until`` is in seconds since 1970."""

    state: str
    nonce: str
    verifier: str
    redirect_uri: str
    path: str
    until: float


def begin(inst: Installation, provider: OpenIdProvider, redirect_uri: str, path: str) -> tuple[str, str]:
    """Return the URL that the browser is sent to, and what it has to bring back; raise Transient."""
    attempt = _Attempt(new_token(), new_token(), new_token(), redirect_uri, path, time.time() + SECONDS)
    url = provider.authorization_url(
        redirect_uri=redirect_uri,
        scope="openid email profile",
        state=attempt.state,
        nonce=attempt.nonce,
        code_challenge=code_challenge(attempt.verifier),
        code_challenge_method="S256",
    )
    return url, seal(inst.settings, msgspec.json.encode(attempt), _CONTEXT)


def finish(
    inst: Installation, provider: OpenIdProvider, sealed: str, parameters: Mapping[str, str]
) -> tuple[str, str, str]:
    """Return the id and address of the user who signed in, and the path to go on to.

    Raise ProviderRefused, Transient.
    """
    attempt = _opened(inst, sealed)
    if attempt is None or not is_secret(parameters.get("state", ""), attempt.state):
        raise ProviderRefused("This sign-in has expired or was begun in another browser; try again")
    if parameters.get("iss", provider.issuer) != provider.issuer:
        raise ProviderRefused("The answer is from another provider")
    if not parameters.get("code"):
        raise ProviderRefused(f"{provider.name} did not confirm the sign-in")
    claims = provider.claims(parameters["code"], attempt.verifier, attempt.redirect_uri, attempt.nonce)
    user_id, email = _user(inst, provider, claims)
    return user_id, email, attempt.path


def _opened(inst: Installation, sealed: str) -> _Attempt | None:
    try:
        attempt = msgspec.json.decode(unseal(inst.settings, sealed, _CONTEXT), type=_Attempt)
    except (SealBroken, msgspec.DecodeError, ValueError):
        return None
    return attempt if attempt.until > time.time() else None


@repeated_if_overtaken
def _user(inst: Installation, provider: OpenIdProvider, claims: Mapping[str, Any]) -> tuple[str, str]:
    """Return the user with the identity of the claims; raise ProviderRefused.

    A user is found by the provider's subject; the first time, by an address that the provider has verified,
    which ends all other ways into an account that existed: its password may be that of somebody else.
    """
    subject, address = claims.get("sub"), _verified_address(inst, claims)
    if not isinstance(subject, str) or not 1 <= len(subject) <= _LONGEST_SUBJECT:
        raise ProviderRefused(f"{provider.name} did not say who signs in")
    with inst.catalog.transaction(durable=True) as session:
        known = select(User).join(UserIdentity, UserIdentity.user_id == User.id)
        mine = (UserIdentity.issuer == provider.issuer, UserIdentity.subject == subject)
        user = session.scalar(known.where(*mine))
        if user is None:
            user = session.scalar(select(User).where(User.email == address)) or _new_user(
                inst, session, address, claims
            )
            _add_identity(session, user, provider.issuer, subject)
        return user.id, user.email


def _add_identity(session: Session, user: User, issuer: str, subject: str) -> None:
    taken = (UserIdentity.issuer == issuer, UserIdentity.user_id == user.id)
    if session.scalar(select(UserIdentity.id).where(*taken)) is not None:
        raise ProviderRefused("This address belongs to another user of the provider")
    had_password = user.password_hash is not None
    replace_password(session, user.id, None, "the user first signed in by a provider")
    session.add(UserIdentity(user_id=user.id, issuer=issuer, subject=subject))
    details = {"issuer": issuer, "passwordRemoved": had_password}
    record_for_user(session, user.id, user.id, "user.identity_added", **details)


def _new_user(inst: Installation, session: Session, address: str, claims: Mapping[str, Any]) -> User:
    if not inst.settings.oidc_create_users:
        raise ProviderRefused(f"There is no account for {address}; ask to be invited")
    name = claims.get("name")
    name = name.strip()[:_LONGEST_NAME] if isinstance(name, str) and name.strip() else address
    user = User(id=new_id(), email=address, name=name, password_hash=None)
    session.add(user)
    session.flush()
    return user


def _verified_address(inst: Installation, claims: Mapping[str, Any]) -> str:
    email = claims.get("email")
    # Some providers send the text "true".
    if not isinstance(email, str) or claims.get("email_verified") not in (True, "true"):
        raise ProviderRefused("The provider has not verified your e-mail address")
    try:
        address = checked_email(email)
    except InputError as error:
        raise ProviderRefused(error.message) from error
    domains = inst.settings.oidc_allowed_domains
    if domains is not None and address.rpartition("@")[2] not in {domain.lower() for domain in domains}:
        raise ProviderRefused("Addresses of this domain can't sign in here")
    return address
