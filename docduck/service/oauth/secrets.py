"""Random texts of codes and tokens, of which only the SHA-256 is stored."""

from __future__ import annotations

import secrets

_RANDOM_BYTES = 32


def new_secret(kind: str) -> str:
    """Return a new random text that begins with ``docduck_<kind>_``."""
    return f"docduck_{kind}_{secrets.token_urlsafe(_RANDOM_BYTES)}"
