"""What is stored of secrets that are random: keys, tokens of sessions, invitations and OAuth."""

from __future__ import annotations

import hashlib


def secret_digest(text: str) -> str:
    """Return the SHA-256, in hexadecimal digits, by which a random secret is found."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
