"""Actions on the documents that were chosen in the list: by its form, or by its script, some at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse

from docduck.api.request.body import parse_body, read_body
from docduck.api.request.current_caller import Inst
from docduck.api.response.file_headers import UNTRUSTED
from docduck.api.route import Route, require
from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.service.accounts.caller import TeamUser
from docduck.service.core.installation import Installation
from docduck.service.documents.bin.binning import bin_documents
from docduck.service.documents.document_changes import MOST_IN_BULK, BulkChanges, update_documents
from docduck.service.documents.originals import zip_originals
from docduck.service.documents.queries.document_lookup import by_parser
from docduck.service.documents.reprocessing import reprocess
from docduck.service.documents.saved_views import delete_view, save_view
from docduck.web.documents.list_query import PATH
from docduck.web.page_route import PageRoute
from docduck.web.visit import (
    CurrentMember,
    CurrentUser,
    UserForm,
    check_form_token,
    check_own_site,
    form_value,
    own_path,
)

router = APIRouter(prefix=PATH, include_in_schema=False, route_class=PageRoute)
scripted = APIRouter(prefix=PATH, include_in_schema=False, route_class=Route)

_ZIP_HEADERS = {
    **UNTRUSTED,
    "Content-Disposition": 'attachment; filename="documents.zip"',
    "Cache-Control": "no-store",
}

Id = Annotated[str, Field(max_length=36)]


class Action(BaseModel):
    """What is done with documents; ``batch`` is that of documents deleted by the same action before."""

    model_config = ConfigDict(extra="forbid")

    action: Literal["read-again", "delete", "assign", "move"]
    documents: Annotated[list[Id], Field(min_length=1, max_length=MOST_IN_BULK)]
    discard_corrections: bool = False
    assignee: Id = ""
    folder: Id = ""
    batch: Id = ""


@router.post("")
def act(form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Read again, delete, move or assign the documents that were chosen."""
    try:
        action = Action.model_validate(
            {
                "action": form_value(form, "action"),
                "documents": form.get("document", []),
                "discard_corrections": form_value(form, "discard_corrections") == "yes",
                "assignee": form_value(form, "assignee"),
                "folder": form_value(form, "folder"),
            }
        )
    except ValidationError as error:
        raise InputError(f"Choose 1 to {MOST_IN_BULK} documents, and what to do with them") from error
    batch = _do(inst, user, action)
    return RedirectResponse(_with(form_value(form, "next"), {"deleted": batch} if batch else {}), 303)


async def _action(request: Request, inst: Inst, user: CurrentUser) -> Action:
    check_own_site(request, inst.settings)
    check_form_token(user, request.headers.get("x-form-token", ""))
    try:
        return Action.model_validate(await parse_body(await read_body(request)))
    except ValidationError as error:
        raise InputError("This can't be done with these documents. Load the page again") from error


@scripted.post("/actions")
def act_on_some(action: Annotated[Action, Depends(_action)], inst: Inst, user: CurrentMember) -> Response:
    """Do an action with some of the chosen documents; answer with the batch that was deleted."""
    return JSONResponse({"batch": _do(inst, user, action) or ""})


def _do(inst: Installation, user: TeamUser, action: Action) -> str | None:
    """Do an action; return the batch that can be restored."""
    ids = action.documents
    match action.action:
        case "read-again":
            require(user, "documents:write")
            reprocess(inst, user.team_id, ids, user.actor, discard_corrections=action.discard_corrections)
        case "delete":
            require(user, "documents:delete")
            batch = action.batch if is_uuid(action.batch) else None
            return bin_documents(inst, user.team_id, ids, user.actor, batch)
        case "assign":
            require(user, "reviews:write")
            _change(inst, user, ids, {"assignee_id": action.assignee or None})
        case "move":
            require(user, "documents:write")
            _change(inst, user, ids, {"folder_id": action.folder or None})
    return None


def _change(inst: Installation, user: TeamUser, ids: Sequence[str], changes: BulkChanges) -> None:
    parsers = by_parser(inst, user.team_id, ids)
    unrouted = parsers.pop(None, [])
    failed = [(one, "it is in no parser yet") for one in unrouted]
    for parser_id, mine in parsers.items():
        failed += update_documents(inst, user.team_id, str(parser_id), mine, (), changes, user.actor).failed
    if failed:
        raise InputError(
            f"{len(ids) - len(failed)} documents were changed, {len(failed)} not: {failed[0][1]}"
        )


@router.post("/originals")
async def originals(form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Send the original files of the chosen documents as one archive."""
    require(user, "documents:read")
    parts = await run_in_threadpool(zip_originals, inst, user.team_id, form.get("document", []))
    return StreamingResponse(parts, headers=_ZIP_HEADERS, media_type="application/zip")


@router.post("/views")
def save(form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Save the list as it is as a view, for oneself or for the team."""
    require(user, "documents:read")
    for_team = form_value(form, "for_team") == "yes"
    if for_team:
        require(user, "documents:write")
    query = form_value(form, "query")
    save_view(
        inst, user.team_id, user.user_id, form_value(form, "name"), query, user.actor, for_team=for_team
    )
    return RedirectResponse(_with(f"{PATH}?{query}"), 303)


@router.post("/views/{view_id}/delete")
def delete(view_id: str, form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Delete a saved view."""
    require(user, "documents:read")
    of_team = "documents:write" in user.permissions
    delete_view(inst, user.team_id, user.user_id, view_id, user.actor, of_team=of_team)
    return RedirectResponse(_with(form_value(form, "next")), 303)


def _with(next: str, more: dict[str, str] | None = None) -> str:
    """Return the address of the list with more values of its query."""
    address = urlsplit(own_path(next or PATH))
    query = urlencode([*parse_qsl(address.query, keep_blank_values=True), *(more or {}).items()])
    return f"{address.path}?{query}" if query else address.path
