"""Passwords, stored as Argon2id (RFC 9106)."""

from __future__ import annotations

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from docduck.errors import InputError

_LONGEST = 1024


def hash_password(text: str, shortest: int) -> str:
    """Return the hash to store; raise InputError if the password is too short or too long."""
    if not shortest <= len(text) <= _LONGEST:
        raise InputError(f"A password must have {shortest} to {_LONGEST} characters", "password")
    return _hasher().hash(text)


def is_password(text: str, password_hash: str | None) -> bool:
    """Return whether ``text`` is the password with the hash ``password_hash``.

    Without a hash it takes equally long, so that timing doesn't reveal who can sign in.
    """
    if len(text) > _LONGEST:
        return False
    try:
        return _hasher().verify(password_hash or _nobodys(), text) and password_hash is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _nobodys() -> str:
    return _hasher().hash("nobody's")
