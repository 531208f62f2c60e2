"""Passwords: kept as Argon2id (RFC 9106) only."""

from __future__ import annotations

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from docduck.errors import InputError

_LONGEST = 1024


def hash_password(text: str, shortest: int) -> str:
    """What to keep of a password; raises InputError when it is too short or too long."""
    if not shortest <= len(text) <= _LONGEST:
        raise InputError(f"A password must have {shortest} to {_LONGEST} characters", "password")
    return _hasher().hash(text)


def is_password(text: str, kept: str | None) -> bool:
    """Whether ``text`` is the password that ``kept`` was made from.

    Takes as long when nothing is kept, so that the time does not tell who may sign in.
    """
    if len(text) > _LONGEST:
        return False
    try:
        return _hasher().verify(kept or _nobodys(), text) and kept is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _nobodys() -> str:
    return _hasher().hash("nobody's")
