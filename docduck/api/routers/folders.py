"""Folders of a parser (contract C11)."""

from __future__ import annotations

from typing import Annotated, Any, cast

from fastapi import APIRouter, Query

from docduck.api.request.current_caller import Inst, Who
from docduck.api.request.params import FolderId, ParserId
from docduck.api.response.openapi_responses import answers
from docduck.api.route import GuardedRoute, needs, require
from docduck.api.schemas.folders import (
    FolderDeleted,
    FolderDeletion,
    FolderList,
    FolderShown,
    FolderUpdate,
    NewFolder,
)
from docduck.api.serializers.folders import deleted, folder
from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.service.folders import (
    ROOT,
    FolderChanges,
    create_folder,
    delete_folder,
    get_folder,
    list_folders,
    update_folder,
)

router = APIRouter(prefix="/parsers/{parserId}/folders", tags=["Folders"], route_class=GuardedRoute)

Parent = Annotated[
    str | None,
    Query(
        description="A folder's id, or `root`: only what is right below it",
        json_schema_extra={"anyOf": [{"type": "string", "format": "uuid"}, {"const": ROOT}]},
    ),
]
Flat = Annotated[
    bool | None,
    Query(description="Folders of all levels, or of one only; all unless `parentId` is given"),
]
Part = Annotated[str, Query(max_length=255, description="Part of the name, in any case")]
WithDocuments = Annotated[
    bool | None, Query(description="Delete the documents of the folder, and of those below it, as well")
]


@router.get(
    "",
    summary="List folders",
    openapi_extra=needs("parsers:read"),
    responses=answers(FolderList),
)
def list_(
    parserId: ParserId, inst: Inst, who: Who, parentId: Parent = None, q: Part = "", flat: Flat = None
) -> Any:
    """The parser's folders, depth-first, siblings by name."""
    if parentId is not None and parentId != ROOT and not is_uuid(parentId):
        raise InputError("Invalid parentId", "parentId")
    found = list_folders(inst, who.team_id, parserId, parent=parentId, q=q, flat=flat)
    return {"data": [folder(one) for one in found]}


@router.post(
    "",
    summary="Create a folder",
    status_code=201,
    openapi_extra=needs("folders:write"),
    responses=answers(FolderShown, 409, 413, status=201),
)
def create(parserId: ParserId, body: NewFolder, inst: Inst, who: Who) -> Any:
    """Make a folder, for documents to be put in by hand or by its rules."""
    return folder(create_folder(inst, who.team_id, parserId, _changes(body), who.actor))


@router.get(
    "/{folderId}",
    summary="Get a folder",
    openapi_extra=needs("parsers:read"),
    responses=answers(FolderShown),
)
def get(parserId: ParserId, folderId: FolderId, inst: Inst, who: Who) -> Any:
    """One folder."""
    return folder(get_folder(inst, who.team_id, parserId, folderId))


@router.patch(
    "/{folderId}",
    summary="Change a folder",
    openapi_extra=needs("folders:write"),
    responses=answers(FolderShown, 409, 413),
)
def update(parserId: ParserId, folderId: FolderId, body: FolderUpdate, inst: Inst, who: Who) -> Any:
    """Rename, colour or move a folder, or change its rules."""
    return folder(update_folder(inst, who.team_id, parserId, folderId, _changes(body), who.actor))


@router.delete(
    "/{folderId}",
    summary="Delete a folder",
    openapi_extra=needs("folders:write"),
    responses=answers(FolderDeleted, 413),
)
def delete(
    parserId: ParserId,
    folderId: FolderId,
    inst: Inst,
    who: Who,
    body: FolderDeletion | None = None,
    deleteDocuments: WithDocuments = None,
) -> Any:
    """Delete a folder and all below it; their documents are in no folder then.

    With `deleteDocuments` they are deleted as well, for which the key needs the permission
    `documents:delete`, too.
    """
    said = body.given().get("delete_documents") if body else None
    if None not in (said, deleteDocuments) and said != deleteDocuments:
        raise InputError("deleteDocuments differs between query and body", "deleteDocuments")
    with_documents = bool(said if deleteDocuments is None else deleteDocuments)
    if with_documents:
        require(who, "documents:delete")
    gone = delete_folder(
        inst, who.team_id, parserId, folderId, with_documents=with_documents, actor=who.actor
    )
    return deleted(gone)


def _changes(body: FolderUpdate) -> FolderChanges:
    return cast(FolderChanges, body.given())
