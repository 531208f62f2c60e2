"""Permissions of API keys and roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from docduck.errors import InputError


class Permission(StrEnum):
    """A permission, named resource:action, as in OAuth scopes."""

    PARSERS_READ = "parsers:read"
    PARSERS_WRITE = "parsers:write"
    CLASSIFIERS_READ = "classifiers:read"
    CLASSIFIERS_WRITE = "classifiers:write"
    DOCUMENTS_READ = "documents:read"
    DOCUMENTS_WRITE = "documents:write"
    DOCUMENTS_DELETE = "documents:delete"
    FIELDS_WRITE = "fields:write"
    FOLDERS_WRITE = "folders:write"
    REVIEWS_READ = "reviews:read"
    REVIEWS_WRITE = "reviews:write"
    EXPORTS_READ = "exports:read"
    WEBHOOKS_READ = "webhooks:read"
    WEBHOOKS_WRITE = "webhooks:write"
    AUDIT_READ = "audit:read"


PERMISSIONS: tuple[str, ...] = tuple(one.value for one in Permission)
"""All permissions, in their documented order."""

ALL: frozenset[str] = frozenset(PERMISSIONS)

ROLES: Mapping[str, frozenset[str]] = {
    "owner": ALL,
    "admin": ALL,
    "member": ALL - {Permission.AUDIT_READ.value},
    "reviewer": frozenset({Permission.DOCUMENTS_READ.value, Permission.REVIEWS_WRITE.value}),
}
"""Permissions by role in the team."""

MANAGERS = frozenset({"owner", "admin"})
"""Roles that may manage the team's keys and members."""


def check_permissions(names: Iterable[str]) -> tuple[str, ...]:
    """Return ``names`` without duplicates, in the documented order.

    Raise InputError listing the known ones if one is unknown or none is given.
    """
    wanted = {str(name) for name in names}
    if unknown := sorted(wanted - ALL):
        raise InputError(
            f"Unknown permission: {', '.join(unknown)}. Known: {', '.join(PERMISSIONS)}", "permissions"
        )
    if not wanted:
        raise InputError("A key needs at least one permission", "permissions")
    return tuple(name for name in PERMISSIONS if name in wanted)
