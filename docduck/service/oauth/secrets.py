"""Texts of codes and tokens, random or derived from another; only their SHA-256 is stored."""

from __future__ import annotations

import base64
import hmac
import secrets

from docduck.service.core.secret_key import derived_key
from docduck.settings import Settings

_RANDOM_BYTES = 32
_PURPOSE = "docduck oauth successors 1"


def new_secret(kind: str) -> str:
    """Return a new random text that begins with ``docduck_<kind>_``."""
    return f"docduck_{kind}_{secrets.token_urlsafe(_RANDOM_BYTES)}"


def successor(settings: Settings, kind: str, token: str) -> str:
    """Return the text of the token that follows a refresh token, the same each time."""
    digest = hmac.digest(derived_key(settings, _PURPOSE), f"{kind} {token}".encode(), "sha256")
    return f"docduck_{kind}_{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"
