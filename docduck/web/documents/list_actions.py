"""Actions on the documents that were chosen in the list: by its form, or by its script, some at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

from pydantic import Field, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response, StreamingResponse

from docduck.api.response.file_headers import UNTRUSTED
from docduck.api.route import Route, require
from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.service.documents.bin.binning import bin_documents
from docduck.service.documents.document_changes import MOST_IN_BULK, BulkChanges, update_documents
from docduck.service.documents.queries.document_lookup import by_parser
from docduck.service.documents.reprocessing import reprocess
from docduck.service.documents.saved_views import delete_view, save_view
from docduck.service.outputs.originals import zip_originals
from docduck.web.documents.list_query import PATH
from docduck.web.member import Member, Reader, Visit
from docduck.web.page import see_other, with_query
from docduck.web.page_route import PageRouter
from docduck.web.visit import Sent, UserForm, form_value, own_path, sent

router = PageRouter(PATH)
scripted = PageRouter(PATH, route_class=Route)

_ZIP_HEADERS = {
    **UNTRUSTED,
    "Content-Disposition": 'attachment; filename="documents.zip"',
    "Cache-Control": "no-store",
}

_REFUSAL = "This can't be done with these documents. Load the page again"

Id = Annotated[str, Field(max_length=36)]


class Action(Sent):
    """What is done with documents; ``batch`` is that of documents deleted by the same action before."""

    action: Literal["read-again", "delete", "assign", "move"]
    documents: Annotated[list[Id], Field(min_length=1, max_length=MOST_IN_BULK)]
    discard_corrections: bool = False
    assignee: Id = ""
    folder: Id = ""
    batch: Id = ""


@router.post("")
def act(form: UserForm, at: Member) -> Response:
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
    batch = _do(at, action)
    return see_other(_with(form_value(form, "next"), {"deleted": batch} if batch else {}))


@scripted.post("/actions")
def act_on_some(action: Annotated[Action, sent(Action, _REFUSAL)], at: Member) -> Response:
    """Do an action with some of the chosen documents; answer with the batch that was deleted."""
    return JSONResponse({"batch": _do(at, action) or ""})


def _do(at: Visit, action: Action) -> str | None:
    """Do an action; return the batch that can be restored."""
    ids, actor = action.documents, at.user.actor
    match action.action:
        case "read-again":
            require(at.user, "documents:write")
            reprocess(*at.team, ids, actor, discard_corrections=action.discard_corrections)
        case "delete":
            require(at.user, "documents:delete")
            return bin_documents(*at.team, ids, actor, action.batch if is_uuid(action.batch) else None)
        case "assign":
            require(at.user, "reviews:write")
            _change(at, ids, {"assignee_id": action.assignee or None})
        case "move":
            require(at.user, "documents:write")
            _change(at, ids, {"folder_id": action.folder or None})
    return None


def _change(at: Visit, ids: Sequence[str], changes: BulkChanges) -> None:
    parsers = by_parser(*at.team, ids)
    unrouted = parsers.pop(None, [])
    failed = [(id_, "it is in no parser yet") for id_ in unrouted]
    for parser_id, mine in parsers.items():
        outcome = update_documents(*at.team, str(parser_id), mine, (), changes, at.user.actor)
        failed += [(id_, error.message) for id_, error in outcome.failed]
    if failed:
        raise InputError(
            f"{len(ids) - len(failed)} documents were changed, {len(failed)} not: {failed[0][1]}"
        )


@router.post("/originals")
async def originals(form: UserForm, at: Reader) -> Response:
    """Send the original files of the chosen documents as one archive."""
    parts = await run_in_threadpool(zip_originals, *at.team, form.get("document", []))
    return StreamingResponse(parts, headers=_ZIP_HEADERS, media_type="application/zip")


@router.post("/views")
def save(form: UserForm, at: Reader) -> Response:
    """Save the list as it is as a view, for oneself or for the team."""
    for_team = form_value(form, "for_team") == "yes"
    if for_team:
        require(at.user, "documents:write")
    name, query = form_value(form, "name"), form_value(form, "query")
    save_view(*at.team, at.user.user_id, name, query, at.user.actor, for_team=for_team)
    return see_other(_with(f"{PATH}?{query}"))


@router.post("/views/{view_id}/delete")
def delete(view_id: str, form: UserForm, at: Reader) -> Response:
    """Delete a saved view."""
    of_team = at.may("documents:write")
    delete_view(*at.team, at.user.user_id, view_id, at.user.actor, of_team=of_team)
    return see_other(_with(form_value(form, "next")))


def _with(next: str, more: dict[str, str] | None = None) -> str:
    """Return the address of the list with more values of its query."""
    address = urlsplit(own_path(next or PATH))
    query = urlencode([*parse_qsl(address.query, keep_blank_values=True), *(more or {}).items()])
    return with_query(address.path, query)
