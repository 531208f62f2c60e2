"""The resource that tokens are for, the MCP server: its path, that of its metadata, and its scopes."""

from __future__ import annotations

from docduck.service.accounts.permissions import PERMISSIONS, Permission

PATH = "/mcp"
METADATA_ROOT = "/.well-known/oauth-protected-resource"
"""Where clients look that don't know the resource's path (RFC 9728, 3.1)."""

METADATA_PATH = f"{METADATA_ROOT}{PATH}"

SCOPES: tuple[str, ...] = tuple(
    permission for permission in PERMISSIONS if permission != Permission.AUDIT_READ
)
"""The permissions that a tool needs, in their documented order."""


def is_same(asked: str, resource: str) -> bool:
    """Return whether a client means ``resource``, perhaps with a slash or a query, as users may type it."""
    return asked.partition("?")[0] in (resource, f"{resource}/")


_OFFLINE = "offline_access"
"""The scope by which clients ask for a refresh token, which they always get."""


def asked_scopes(text: str) -> set[str]:
    """Return the scopes that a client asks for, separated by spaces."""
    return set(text.split()) - {_OFFLINE}
