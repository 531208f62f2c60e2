"""The installation's secret, from which keys for signing and sealing are derived, and random secrets.

The installation's secret is the setting ``DOCDUCK_SECRET_KEY``, or else ``<home>/secret.key``, which is
created on first use. Installations that share a catalog but no home need the setting.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from docduck.errors import InputError
from docduck.settings import Settings

FILE_NAME = "secret.key"
LEAST_CHARACTERS = 32
_RANDOM_BYTES = 32


def derived_key(settings: Settings, purpose: str) -> bytes:
    """Return 32 bytes derived for one ``purpose`` by HMAC-SHA256.

    Raise InputError if the secret can't be read or created, or is too short.
    """
    if settings.secret_key is not None:
        text = settings.secret_key.get_secret_value()
    else:
        text = _from_file(settings.home.absolute() / FILE_NAME)
    return hmac.digest(text.encode(), purpose.encode(), "sha256")


def signature_of(settings: Settings, purpose: str, text: str) -> bytes:
    """Return the HMAC-SHA256 of a text with the key for ``purpose``; raise InputError as ``derived_key``."""
    return hmac.digest(derived_key(settings, purpose), text.encode("utf-8", "replace"), "sha256")


@lru_cache(maxsize=16)
def _from_file(path: Path) -> str:
    try:
        if not path.exists():
            _make(path)
        text = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} can't be used ({error}); it holds the installation's secret") from error
    if len(text) < LEAST_CHARACTERS:
        raise InputError(
            f"{path} is damaged: restore it, or remove it, which ends all links given so far and makes the "
            "secrets of webhooks unreadable"
        )
    return text


def _make(path: Path) -> None:
    """Create the secret atomically. If several processes do so at once, the first one's secret is kept."""
    aside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(_RANDOM_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            path.hardlink_to(aside)
    finally:
        aside.unlink()


def new_token(prefix: str = "") -> str:
    """Return a new random token after ``prefix``; it can stand in a cookie or a URL.

    It is shown once: a key, or the token of a session, an invitation, a password reset or OAuth.
    """
    return prefix + secrets.token_urlsafe(_RANDOM_BYTES)


def base64url(data: bytes) -> str:
    """Return bytes as base64 that can stand in a URL, without padding (RFC 4648, 5)."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def code_challenge(verifier: str) -> str:
    """Return the challenge for a code verifier, by the method S256 (RFC 7636, 4.2)."""
    return base64url(hashlib.sha256(verifier.encode()).digest())


def is_secret(text: str, secret: str) -> bool:
    """Return whether a text is the secret, in a time that does not tell how much of it is."""
    return hmac.compare_digest(text.encode("utf-8", "replace"), secret.encode())


def secret_digest(text: str) -> str:
    """Return the SHA-256, in hexadecimal digits, by which a random secret is found; it alone is stored.

    Tokens are too long to be guessed, so a slow hash would protect nothing more.
    """
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
