"""What a key, or a person in a role, may do (contract D)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from docduck.errors import InputError


class Permission(StrEnum):
    """One permission, named resource:action; the scopes of OAuth have the same names."""

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


PERMISSIONS: tuple[str, ...] = tuple(one.value for one in Permission)
"""All of them, in contract D's order."""

ALL: frozenset[str] = frozenset(PERMISSIONS)

ROLES: Mapping[str, frozenset[str]] = {
    "owner": ALL,
    "admin": ALL,
    "member": ALL,
    "reviewer": frozenset({Permission.DOCUMENTS_READ.value, Permission.REVIEWS_WRITE.value}),
}
"""What people may do by their role in the team."""

MANAGERS = frozenset({"owner", "admin"})
"""The roles that may also manage the team: its keys and its members."""


def check_permissions(names: Iterable[str]) -> tuple[str, ...]:
    """``names`` without repetitions, in contract D's order.

    Raises InputError that lists the known ones when one is unknown, or when none is given.
    """
    wanted = {str(name) for name in names}
    if unknown := sorted(wanted - ALL):
        raise InputError(
            f"Unknown permission: {', '.join(unknown)}. Known: {', '.join(PERMISSIONS)}", "permissions"
        )
    if not wanted:
        raise InputError("A key needs at least one permission", "permissions")
    return tuple(name for name in PERMISSIONS if name in wanted)
