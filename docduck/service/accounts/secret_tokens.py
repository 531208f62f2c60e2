"""Random tokens of sessions, invitations and password resets; only their SHA-256 is stored."""

from __future__ import annotations

import secrets

_RANDOM_BYTES = 32


def new_token() -> str:
    """Return a new token, to put into a cookie or a URL."""
    return secrets.token_urlsafe(_RANDOM_BYTES)
