"""Random secrets that are shown once: keys, tokens of sessions, invitations, password resets and OAuth.

Only their SHA-256 is stored: they are too long to be guessed, so a slow hash would protect nothing more.
"""

from __future__ import annotations

import hashlib
import secrets

_RANDOM_BYTES = 32


def new_token(prefix: str = "") -> str:
    """Return a new random token after ``prefix``; it can stand in a cookie or a URL."""
    return prefix + secrets.token_urlsafe(_RANDOM_BYTES)


def secret_digest(text: str) -> str:
    """Return the SHA-256, in hexadecimal digits, by which a random secret is found."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
