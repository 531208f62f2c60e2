"""Encryption of secrets in the catalog: AES-256-GCM with a key derived from the installation's secret."""

from __future__ import annotations

import base64
import binascii
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from docduck.errors import DocduckError
from docduck.service.core.secrets import derived_key
from docduck.settings import Settings

_PURPOSE = "sealing"
_VERSION = "v1:"
_NONCE_BYTES = 12


class SealBroken(DocduckError):
    """A sealed value can't be decrypted: the installation's secret or the value was changed."""

    def __init__(self) -> None:
        super().__init__(
            "A stored secret can't be decrypted; DOCDUCK_SECRET_KEY, or secret.key in the home folder, is "
            "not the one that it was encrypted with"
        )


def seal(settings: Settings, value: bytes, context: str) -> str:
    """Return ``value`` encrypted; it can only be decrypted with the same ``context``, such as a row's id."""
    nonce = secrets.token_bytes(_NONCE_BYTES)
    sealed = nonce + _cipher(settings).encrypt(nonce, value, context.encode())
    return _VERSION + base64.b64encode(sealed).decode()


def unseal(settings: Settings, sealed: str, context: str) -> bytes:
    """Return what was sealed with the same context; raise SealBroken."""
    try:
        if not sealed.startswith(_VERSION):
            raise SealBroken
        data = base64.b64decode(sealed.removeprefix(_VERSION), validate=True)
        return _cipher(settings).decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], context.encode())
    except (InvalidTag, binascii.Error, ValueError) as error:
        raise SealBroken from error


def _cipher(settings: Settings) -> AESGCM:
    return AESGCM(derived_key(settings, _PURPOSE))
