"""Folders: bodies and responses (spec.md, Folder; contract A9, C11)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints, WithJsonSchema

from docduck.api.schemas.base import ClosedBody, Name, Shown, Uuid
from docduck.api.schemas.conditions import AUTO_ASSIGNMENT

Color = Annotated[
    str, StringConstraints(min_length=1, max_length=64, pattern=r"\S"), Field(examples=["#1f77b4"])
]
AutoAssignment = Annotated[Any, WithJsonSchema(AUTO_ASSIGNMENT)]


class FolderUpdate(ClosedBody):
    """What to change; what is left out stays, a `parentId` of null makes it a root folder."""

    name: Name = ""
    color: Color | None = None
    parent_id: Uuid | None = None
    has_auto_assign: bool = False
    auto_assignment: AutoAssignment = None


class NewFolder(FolderUpdate):
    """A folder to make, at the root unless it has a parent."""

    name: Name


class FolderDeletion(ClosedBody):
    """What becomes of the folder's documents; the query parameter says the same."""

    delete_documents: bool = False


class FolderShown(Shown):
    """A folder, its place, and what is in it."""

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
    auto_assignment: dict[str, Any] | None
    created_at: str
    updated_at: str


class FolderList(Shown):
    """Folders, depth-first."""

    data: list[FolderShown]


class FolderDeleted(Shown):
    """What went with a folder."""

    success: bool = Field(examples=[True])
    id: str
    deleted_folders: int
    moved_documents: int
    deleted_documents: int
