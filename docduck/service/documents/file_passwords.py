"""Passwords of documents' files: kept sealed, as files are read again and their pages are drawn."""

from __future__ import annotations

import hashlib
from contextlib import suppress

from docduck.documents.detection.content_types import PDF, ZIP
from docduck.errors import EncryptedFile, InputError, WrongPassword
from docduck.service.core.sealing import SealBroken, seal, unseal
from docduck.settings import Settings
from docduck.statuses import Status

OPENED = (PDF, ZIP)
"""The types of files that can be read with a password."""

LONGEST = 127
"""Bytes of a PDF's password (ISO 32000-2, 7.6.4.3.2)."""

_CLOSED = tuple(error().message for error in (EncryptedFile, WrongPassword))


def is_closed(status: Status, content_type: str, error: str | None) -> bool:
    """Return whether a document failed for want of a password that its file can be read with."""
    return status is Status.FAILED and content_type in OPENED and error in _CLOSED


def sealed_password(settings: Settings, document_id: str, password: str) -> str:
    """Return what is kept of a document's password; raise InputError if it can't be one."""
    if not 1 <= len(password.encode("utf-8", "replace")) <= LONGEST:
        raise InputError(f"password must have 1 to {LONGEST} bytes", "password")
    return seal(settings, password.encode(), _context(document_id))


def password_of(settings: Settings, document_id: str, sealed: str | None) -> str | None:
    """Return a document's password; None without one, or if it was sealed with another secret key."""
    if sealed is not None:
        with suppress(SealBroken):
            return unseal(settings, sealed, _context(document_id)).decode()
    return None


def kept_prefix(sealed: str | None) -> str:
    """Return how the names begin of what is kept of a file's pages: only who has its password sees them."""
    return "" if sealed is None else f"{hashlib.sha256(sealed.encode()).hexdigest()[:16]}-"


def _context(document_id: str) -> str:
    return f"file of {document_id}"
