"""Random texts of codes and tokens, of which only the SHA-256 is stored."""

from __future__ import annotations

import hashlib
import secrets

_RANDOM_BYTES = 32


def new_secret(kind: str) -> str:
    """Return a new random text that begins with ``docduck_<kind>_``."""
    return f"docduck_{kind}_{secrets.token_urlsafe(_RANDOM_BYTES)}"


def digest(text: str) -> str:
    """Return the SHA-256 by which a text is found."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
