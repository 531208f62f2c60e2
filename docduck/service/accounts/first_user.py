"""The first user of an installation: created by a link that `docduck up` prints, as long as there is none."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Team, User
from docduck.errors import NotFound
from docduck.ids import new_id
from docduck.service.accounts.accounts import checked_email, checked_person, join
from docduck.service.accounts.passwords import hash_password
from docduck.service.core.installation import Installation
from docduck.service.core.secrets import is_secret, signature_of

_PURPOSE = "docduck first user 1"


def first_user_token(inst: Installation) -> str | None:
    """Return the token of the link; None once there is a user."""
    with inst.catalog.read_session() as session:
        return None if _has_users(session) else _token(inst)


def check_first_user(inst: Installation, token: str) -> None:
    """Raise NotFound unless the link is right and there is no user yet."""
    expected = first_user_token(inst)
    if expected is None or not is_secret(token, expected):
        raise _not_valid()


def create_first_user(
    inst: Installation, token: str, email: str, name: str, password: str
) -> tuple[str, str]:
    """Create an owner of the installation's own team; return their id and address.

    Raise NotFound if the link is not valid any more, and InputError.
    """
    check_first_user(inst, token)
    address, name = checked_email(email), checked_person(name)
    password_hash = hash_password(password, inst.settings.password_min_length)
    with inst.catalog.transaction(durable=True) as session:
        # Of two requests at the same time, the second one waits here and finds the first one's user.
        session.execute(select(Team.id).where(Team.id == inst.team_id).with_for_update())
        if _has_users(session):
            raise _not_valid()
        user = User(id=new_id(), email=address, name=name, password_hash=password_hash)
        session.add(user)
        session.flush()
        join(session, inst.team_id, user, "owner", user.id)
        return user.id, user.email


def _has_users(session: Session) -> bool:
    return session.scalar(select(User.id).limit(1)) is not None


def _token(inst: Installation) -> str:
    return signature_of(inst.settings, _PURPOSE, inst.team_id).hex()


def _not_valid() -> NotFound:
    return NotFound("This link is not valid any more: there is a user already. Sign in", "token", "")
