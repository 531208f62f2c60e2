"""Folders: bodies and responses."""

from __future__ import annotations

from docduck.api.schemas.base import ResponseModel
from docduck.service.core.schema import Schema
from docduck.service.folders import FolderView


class FolderDeletion(Schema):
    """Whether the folder's documents are deleted, too; same as the query parameter."""

    delete_documents: bool = False


class FolderList(ResponseModel):
    """Folders, depth-first."""

    data: list[FolderView]
