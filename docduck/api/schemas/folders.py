"""Folders: bodies and responses."""

from __future__ import annotations

from pydantic import Field

from docduck.api.schemas.base import ResponseModel
from docduck.service.core.schema import Schema
from docduck.service.folders import FolderView


class FolderDeletion(Schema):
    """Whether the folder's documents are deleted, too; same as the query parameter."""

    delete_documents: bool = False


class FolderList(ResponseModel):
    """Folders, depth-first."""

    data: list[FolderView]


class FolderDeleted(ResponseModel):
    """A deleted folder, and what was deleted or moved with it."""

    success: bool = Field(examples=[True])
    id: str
    deleted_folders: int
    moved_documents: int
    deleted_documents: int
