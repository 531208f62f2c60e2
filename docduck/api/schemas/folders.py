"""Folders: bodies and responses."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from docduck.api.schemas.base import ResponseModel, Timestamp
from docduck.service.core.schema import Schema
from docduck.service.folders import auto_assignment as service


class FolderDeletion(Schema):
    """Whether the folder's documents are deleted, too; same as the query parameter."""

    delete_documents: bool = False


def _rules(auto_assignment: service.AutoAssignment | None) -> dict[str, Any] | None:
    return None if auto_assignment is None else auto_assignment.as_json(by_id=False)


class FolderResponse(ResponseModel):
    """A folder, its place, and its counts."""

    id: str
    name: str = Field(examples=["2026"])
    slug: str = Field(examples=["2026"])
    color: str | None
    parent_id: str | None
    document_count: int = Field(description="Documents in it and in all folders below it")
    direct_document_count: int
    child_folder_count: int
    path_ids: list[str]
    path_names: list[str] = Field(examples=[["Invoices", "2026"]])
    path_label: str = Field(examples=["Invoices / 2026"])
    depth: int = Field(description="How many folders are above it", ge=0)
    has_auto_assign: bool
    auto_assignment: Annotated[dict[str, Any] | None, BeforeValidator(_rules)]
    created_at: Timestamp
    updated_at: Timestamp


class FolderList(ResponseModel):
    """Folders, depth-first."""

    data: list[FolderResponse]


class FolderDeleted(ResponseModel):
    """A deleted folder, and what was deleted or moved with it."""

    success: bool = Field(examples=[True])
    id: str
    deleted_folders: int
    moved_documents: int
    deleted_documents: int
