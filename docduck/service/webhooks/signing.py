"""Signatures of the Standard Webhooks specification, and the secrets that make them."""

from __future__ import annotations

import base64
import binascii
import hmac
import secrets
from collections.abc import Sequence

from docduck.errors import InputError
from docduck.service.schemas.webhooks import HEADER_SETS

PREFIX = "whsec_"
_SECRET_BYTES = 32
_FEWEST_BYTES, _MOST_BYTES = 24, 64


def new_secret() -> str:
    """Return a new random secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def secret_key(secret: str) -> bytes:
    """Return the key in a secret; raise InputError, which doesn't show it, for another text."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not secret.startswith(PREFIX) or not _FEWEST_BYTES <= len(key) <= _MOST_BYTES:
        raise InputError(
            f"A webhook's secret must be {PREFIX} and the base64 of {_FEWEST_BYTES} to {_MOST_BYTES} bytes"
        )
    return key


def signed_headers(message_id: str, timestamp: int, body: bytes, keys: Sequence[bytes]) -> dict[str, str]:
    """Return the headers of a message at ``timestamp`` (seconds since 1970), signed with each key."""
    content = f"{message_id}.{timestamp}.".encode() + body
    signatures = (base64.b64encode(hmac.digest(key, content, "sha256")).decode() for key in keys)
    values = {
        "id": message_id,
        "timestamp": str(timestamp),
        "signature": " ".join(f"v1,{signature}" for signature in signatures),
    }
    return {f"{prefix}-{name}": value for prefix in HEADER_SETS for name, value in values.items()}
