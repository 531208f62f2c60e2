"""Folders as JSON (spec.md, Folder)."""

from __future__ import annotations

from typing import Any

from docduck.clock import iso
from docduck.service.folders import DeletedFolder, FolderView


def folder(one: FolderView) -> dict[str, Any]:
    """A folder whole."""
    rules = one.auto_assignment
    return {
        "id": one.id,
        "name": one.name,
        "slug": one.slug,
        "color": one.color,
        "parentId": one.parent_id,
        "documentCount": one.document_count,
        "directDocumentCount": one.direct_document_count,
        "childFolderCount": one.child_folder_count,
        "pathIds": list(one.path_ids),
        "pathNames": list(one.path_names),
        "pathLabel": one.path_label,
        "depth": one.depth,
        "hasAutoAssign": one.has_auto_assign,
        "autoAssignment": rules.as_json(by_id=False) if rules else None,
        "createdAt": iso(one.created_at),
        "updatedAt": iso(one.updated_at),
    }


def deleted(gone: DeletedFolder) -> dict[str, Any]:
    """What went with a folder."""
    return {
        "success": True,
        "id": gone.id,
        "deletedFolders": gone.folders,
        "movedDocuments": gone.moved_documents,
        "deletedDocuments": gone.deleted_documents,
    }
