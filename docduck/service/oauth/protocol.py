"""The terms of OAuth here: the resource that tokens are for, with its paths and scopes, and errors."""

from __future__ import annotations

from docduck.errors import InputError
from docduck.service.accounts.permissions import PERMISSIONS, Permission

PATH = "/mcp"
METADATA_ROOT = "/.well-known/oauth-protected-resource"
"""Where clients look that don't know the resource's path (RFC 9728, 3.1)."""

METADATA_PATH = f"{METADATA_ROOT}{PATH}"

SCOPES: tuple[str, ...] = tuple(
    permission for permission in PERMISSIONS if permission != Permission.AUDIT_READ
)
"""The permissions that a tool needs, in their documented order."""


def is_same(requested: str, resource: str) -> bool:
    """Return whether a client means ``resource``, perhaps with a slash or a query, as users may type it."""
    return requested.partition("?")[0] in (resource, f"{resource}/")


_OFFLINE = "offline_access"
"""The scope by which clients ask for a refresh token, which they always get."""


def asked_scopes(text: str) -> set[str]:
    """Return the scopes that a client asks for, separated by spaces."""
    return set(text.split()) - {_OFFLINE}


class OAuthError(InputError):
    """A refusal with its ``kind`` of RFC 6749, 7009, 7591 or 8707, such as ``invalid_grant``."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class UnverifiedClient(InputError):
    """A client or redirect URI that is not known: nothing may be sent there."""
