"""Permissions of API keys and roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from docduck.errors import Forbidden, InputError


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


PERMISSIONS: tuple[str, ...] = tuple(permission.value for permission in Permission)
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
"""Roles that may manage the team: its name, members, invitations and keys."""


def may_query(role: str) -> bool:
    """Return whether ``role`` sees the whole team: its tables, parsers and sources.

    Reviewers see the documents that they review.
    """
    return role != "reviewer"


def check_manager(role: str) -> None:
    """Raise Forbidden unless ``role`` may manage the team."""
    if role not in MANAGERS:
        raise Forbidden("Only owners and admins of the team may do this")


def check_may_assign(role: str, *others: str | None) -> None:
    """Raise Forbidden unless a user with ``role`` may grant, change or take away all of the ``others``.

    Owners may all of them, admins all but that of an owner.
    """
    check_manager(role)
    if role != "owner" and "owner" in others:
        raise Forbidden("Only an owner may make somebody an owner, or change what an owner is")


def assignable_roles(role: str) -> tuple[str, ...]:
    """Return the roles that a user with ``role`` may grant."""
    if role not in MANAGERS:
        return ()
    return tuple(other for other in ROLES if role == "owner" or other != "owner")


def check_permissions(names: Iterable[str]) -> tuple[str, ...]:
    """Return ``names`` without duplicates, in the documented order.

    Raise InputError listing the known ones if one is unknown or none is given.
    """
    requested = {str(name) for name in names}
    if unknown := sorted(requested - ALL):
        raise InputError(
            f"Unknown permission: {', '.join(unknown)}. Known: {', '.join(PERMISSIONS)}", "permissions"
        )
    if not requested:
        raise InputError("A key needs at least one permission", "permissions")
    return tuple(name for name in PERMISSIONS if name in requested)
