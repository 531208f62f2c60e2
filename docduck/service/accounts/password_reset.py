"""Links by which users set a password once, stored as SHA-256; also for users who have none yet."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Membership, PasswordReset, User
from docduck.errors import NotFound
from docduck.service.accounts.accounts import OPERATOR
from docduck.service.accounts.passwords import hash_password
from docduck.service.accounts.sessions import end_access
from docduck.service.core.attempts import client_network, count_attempt
from docduck.service.core.audit import record_for_user
from docduck.service.core.installation import Installation
from docduck.service.core.secrets import new_token, secret_digest

PASSWORD_RESET_HOURS = 4
PASSWORD_RESETS = 5
"""Mails that one user is sent in an hour, and requests from one network address."""

_PURPOSE = "docduck password reset 1"
_HOUR = 3600


@dataclass(frozen=True, slots=True)
class NewReset:
    """A new link's ``token``, which is not stored, and whose password it sets."""

    token: str = field(repr=False)
    email: str
    name: str
    expires_at: dt.datetime


def start_reset(inst: Installation, email: str, actor: str = OPERATOR) -> NewReset:
    """Return a new link for the user with this address; raise NotFound."""
    token, moment = new_token(), clock.now()
    expires_at = moment + dt.timedelta(hours=PASSWORD_RESET_HOURS)
    with inst.catalog.transaction(durable=True) as session:
        user = session.scalar(select(User).where(User.email == email.strip().lower()))
        if user is None:
            raise NotFound("User not found", "userId", email)
        session.add(PasswordReset(user_id=user.id, token_sha256=secret_digest(token), expires_at=expires_at))
        record_for_user(session, user.id, actor, "user.password_reset_requested")
        return NewReset(token, user.email, user.name, expires_at)


def may_ask_for_mail(inst: Installation, email: str, address: str) -> bool:
    """Count a request for a link by mail; return whether one may be sent.

    The answer to the request must not depend on it.
    """
    most = PASSWORD_RESETS
    limited = (
        count_attempt(inst, _PURPOSE, whose, most, _HOUR)
        for whose in (f"address\n{client_network(address)}", f"user\n{email.strip().lower()}")
    )
    return all(waiting is None for waiting in limited)


def find_reset(inst: Installation, token: str) -> str:
    """Return the address of the user whose password the link sets; raise NotFound."""
    with inst.catalog.read_session() as session:
        return _find(session, token).email


def finish_reset(inst: Installation, token: str, password: str) -> tuple[str, str]:
    """Set the password, end the user's sessions, connections and links; return their id and address.

    Raise NotFound if the link was used or has expired, InputError for the password.
    """
    find_reset(inst, token)
    password_hash = hash_password(password, inst.settings.password_min_length)
    with inst.catalog.transaction(durable=True) as session:
        user = _find(session, token)
        # Of two requests with the same link, the second one finds nothing to delete.
        used = delete(PasswordReset).where(PasswordReset.token_sha256 == secret_digest(token))
        if session.scalar(used.returning(PasswordReset.id)) is None:
            raise _no_reset()
        set_password(session, user.id, password_hash, "user.password_reset")
        return user.id, user.email


def set_password(session: Session, user_id: str, password_hash: str, action: str) -> None:
    """Set a user's password, given as its hash; end their sessions, connections and links."""
    replace_password(session, user_id, password_hash, "the password was changed")
    record_for_user(session, user_id, user_id, action)


def replace_password(session: Session, user_id: str, password_hash: str | None, reason: str) -> None:
    """Set or remove a user's password; end their sessions, connections and links."""
    session.execute(update(User).where(User.id == user_id).values(password_hash=password_hash))
    session.execute(delete(PasswordReset).where(PasswordReset.user_id == user_id))
    end_access(session, user_id, reason)


def owners_without_password(inst: Installation) -> list[str] | None:
    """Return the addresses of owners who could be sent a link; None if somebody has a password already."""
    with inst.catalog.read_session() as session:
        if session.scalar(select(User.id).where(User.password_hash.is_not(None)).limit(1)) is not None:
            return None
        owners = select(Membership.user_id).where(Membership.role == "owner")
        return list(session.scalars(select(User.email).where(User.id.in_(owners)).order_by(User.created_at)))


def _find(session: Session, token: str) -> User:
    mine = (PasswordReset.token_sha256 == secret_digest(token), PasswordReset.expires_at > clock.now())
    user = session.scalar(select(User).join(PasswordReset, PasswordReset.user_id == User.id).where(*mine))
    if user is None:
        raise _no_reset()
    return user


def _no_reset() -> NotFound:
    return NotFound("This link is not valid any more; ask for a new one", "token", "")
