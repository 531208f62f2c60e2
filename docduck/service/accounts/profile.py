"""What users change about themselves."""

from __future__ import annotations

from docduck.catalog.models import User
from docduck.errors import InputError
from docduck.service.accounts.accounts import check_password, checked_person
from docduck.service.accounts.password_reset import set_password
from docduck.service.accounts.passwords import hash_password
from docduck.service.accounts.sessions import Browser, SignedIn
from docduck.service.accounts.sign_in import NewSession, begin_session, counted_sign_in
from docduck.service.core.installation import Installation


def rename_user(inst: Installation, user_id: str, name: str) -> None:
    """Change a user's name; raise InputError."""
    name = checked_person(name)
    with inst.catalog.transaction(durable=True) as session:
        session.get_one(User, user_id).name = name


def has_password(inst: Installation, user_id: str) -> bool:
    """Return whether a user can sign in by password."""
    with inst.catalog.read_session() as session:
        return session.get_one(User, user_id).password_hash is not None


def change_password(
    inst: Installation, signed_in: SignedIn, current: str, password: str, browser: Browser, device: str = ""
) -> NewSession:
    """Change a user's password, end their sessions and connections; return a new session.

    Raise InputError if the current password is wrong or the new one is too short, TooManyAttempts.
    """
    with counted_sign_in(inst, signed_in.email, browser.address, device):
        if check_password(inst, signed_in.email, current) is None:
            raise InputError("The current password is wrong", "current")
    password_hash = hash_password(password, inst.settings.password_min_length)
    with inst.catalog.transaction(durable=True) as session:
        set_password(session, signed_in.user_id, password_hash, "user.password_changed")
    return begin_session(inst, signed_in.user_id, signed_in.email, browser)
