"""What permissions mean, in words for people."""

from __future__ import annotations

from collections.abc import Mapping

from docduck.service.accounts.permissions import Permission

_TEXTS: Mapping[str, str] = {
    Permission.PARSERS_READ: "See parsers and their fields",
    Permission.PARSERS_WRITE: "Create and change parsers",
    Permission.CLASSIFIERS_READ: "See classifiers",
    Permission.CLASSIFIERS_WRITE: "Create and change classifiers",
    Permission.DOCUMENTS_READ: "See documents and the values in them",
    Permission.DOCUMENTS_WRITE: "Upload and change documents, and read them again",
    Permission.DOCUMENTS_DELETE: "Delete documents",
    Permission.FIELDS_WRITE: "Create, change and delete fields",
    Permission.FOLDERS_WRITE: "Create, change and delete folders",
    Permission.REVIEWS_READ: "See review stages and who reviews",
    Permission.REVIEWS_WRITE: "Approve and reject documents in your name",
    Permission.EXPORTS_READ: "Export data",
    Permission.WEBHOOKS_READ: "See webhooks",
    Permission.WEBHOOKS_WRITE: "Create, change and delete webhooks, which send data elsewhere",
    Permission.AUDIT_READ: "See the audit log",
}


def scope_text(name: str) -> str:
    """Return what a permission lets a client do."""
    return _TEXTS[name]
