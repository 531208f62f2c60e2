"""Errors of OAuth endpoints."""

from __future__ import annotations

from docduck.errors import InputError


class OAuthError(InputError):
    """A refusal with its ``code`` of RFC 6749, 7009, 7591 or 8707, such as ``invalid_grant``."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class UnverifiedClient(InputError):
    """A client or redirect URI that is not known: nothing may be sent there."""
