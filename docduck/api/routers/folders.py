"""Folders of a parser."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.params import FolderId, ParserId, PartOfName
from docduck.api.response.openapi import error_responses
from docduck.api.route import ResourceRouter, require
from docduck.api.schemas.base import WholeList
from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.service.core.schema import UNSENT, Schema
from docduck.service.folders import (
    ROOT,
    FolderDeleted,
    FolderView,
    create_folder,
    delete_folder,
    get_folder,
    list_folders,
    update_folder,
)
from docduck.service.schemas.folders import FolderUpdate, NewFolder


class FolderDeletion(Schema):
    """Whether the folder's documents are deleted, too; same as the query parameter."""

    delete_documents: bool = UNSENT


class FolderList(WholeList[FolderView]):
    """Folders, depth-first."""


router = ResourceRouter("/parsers/{parserId}/folders", "Folders", read="parsers:read", write="folders:write")

Parent = Annotated[
    str | None,
    Query(
        description="A folder's id, or `root`: only its direct subfolders",
        json_schema_extra={"anyOf": [{"type": "string", "format": "uuid"}, {"const": ROOT}]},
    ),
]
Flat = Annotated[
    bool | None,
    Query(description="Folders of all levels, or of one only; all unless `parentId` is given"),
]
WithDocuments = Annotated[
    bool | None, Query(description="Delete the documents of the folder, and of those below it, as well")
]


@router.get("", summary="List folders")
def list_(
    parserId: ParserId, call: CurrentCall, parentId: Parent = None, q: PartOfName = "", flat: Flat = None
) -> FolderList:
    """Return the parser's folders, depth-first, siblings by name."""
    if parentId is not None and parentId != ROOT and not is_uuid(parentId):
        raise InputError("Invalid parentId", "parentId", code="invalid_id")
    views = list_folders(*call.team, parserId, parent=parentId, q=q, flat=flat)
    return FolderList.of_all(views)


@router.post("", summary="Create a folder", status_code=201)
def create(parserId: ParserId, body: NewFolder, call: CurrentCall) -> FolderView:
    """Create a folder, for documents to be put in by hand or by its rules."""
    return create_folder(*call.team, parserId, body.sent_values(), call.actor)


@router.get("/{folderId}", summary="Get a folder")
def get(parserId: ParserId, folderId: FolderId, call: CurrentCall) -> FolderView:
    """Return a folder."""
    return get_folder(*call.team, parserId, folderId)


@router.patch("/{folderId}", summary="Change a folder", responses=error_responses(409))
def update(parserId: ParserId, folderId: FolderId, body: FolderUpdate, call: CurrentCall) -> FolderView:
    """Rename, colour or move a folder, or change its rules; a `parentId` of null moves it to the root."""
    return update_folder(*call.team, parserId, folderId, body.sent_values(), call.actor)


@router.delete("/{folderId}", summary="Delete a folder")
def delete(
    parserId: ParserId,
    folderId: FolderId,
    call: CurrentCall,
    body: FolderDeletion | None = None,
    deleteDocuments: WithDocuments = None,
) -> FolderDeleted:
    """Delete a folder and all below it; their documents are then in no folder.

    With `deleteDocuments` they are deleted as well; the key then also needs the permission
    `documents:delete`.
    """
    in_body = body.sent_values().get("delete_documents") if body else None
    if None not in (in_body, deleteDocuments) and in_body != deleteDocuments:
        raise InputError("deleteDocuments differs between query and body", "deleteDocuments")
    with_documents = bool(in_body if deleteDocuments is None else deleteDocuments)
    if with_documents:
        require(call.caller, "documents:delete")
    return delete_folder(*call.team, parserId, folderId, with_documents=with_documents, actor=call.actor)
