"""The bin's page: documents that were deleted on the pages are restored, or deleted for good."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.errors import InputError
from docduck.service.accounts.accounts import members
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.documents.bin.contents import batch_ids, delete_for_good, empty_bin_of, list_binned
from docduck.service.documents.bin.restoring import restore_documents
from docduck.service.parsers.parser_listing import parser_names
from docduck.web.page import last_page, page, page_link
from docduck.web.page_route import PageRoute
from docduck.web.visit import CurrentMember, CurrentUser, UserForm, form_value, own_path

router = APIRouter(prefix="/bin", include_in_schema=False, route_class=PageRoute)

_LIMIT = 50


@router.get("")
def list_(
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    number: Annotated[int, Query(alias="page", ge=1, le=1_000_000)] = 1,
) -> Response:
    """Return a page of the documents in the team's bin."""
    require(user, "documents:delete")
    return _page(inst, signed_in, user, number)


@router.post("")
def act(form: UserForm, inst: Inst, signed_in: CurrentUser, user: CurrentMember) -> Response:
    """Restore the documents that were chosen, or delete them, or all, for good."""
    require(user, "documents:delete")
    ids = form.get("document", [])
    if form_value(form, "action") == "empty":
        empty_bin_of(inst, user.team_id, user.actor)
        return RedirectResponse("/bin", 303)
    if not ids:
        raise InputError("Choose the documents")
    match form_value(form, "action"):
        case "restore":
            return _restored(inst, signed_in, user, ids, "/bin")
        case "delete":
            delete_for_good(inst, user.team_id, ids, user.actor)
            return RedirectResponse("/bin", 303)
        case _:
            raise InputError("Choose what to do with the documents")


@router.post("/undo")
def undo(form: UserForm, inst: Inst, signed_in: CurrentUser, user: CurrentMember) -> Response:
    """Restore what was deleted by one action."""
    require(user, "documents:delete")
    ids = batch_ids(inst, user.team_id, form_value(form, "batch"))
    return _restored(inst, signed_in, user, ids, own_path(form_value(form, "next") or "/documents"))


def _restored(
    inst: Installation, signed_in: SignedIn, user: TeamUser, ids: list[str], way_on: str
) -> Response:
    notes = restore_documents(inst, user.team_id, ids, user.actor).notes
    return _page(inst, signed_in, user, 1, notes) if notes else RedirectResponse(way_on, 303)


def _page(
    inst: Installation, signed_in: SignedIn, user: TeamUser, number: int, notes: Sequence[str] = ()
) -> Response:
    binned = list_binned(inst, user.team_id, page=number, limit=_LIMIT)
    return page(
        "bin/bin.html.j2",
        signed_in,
        rows=binned.rows,
        total=binned.total,
        number=number,
        last=last_page(binned),
        link=partial(page_link, "/bin"),
        parsers=parser_names(inst, user.team_id),
        people={member.id: member.name for member in members(inst, user.team_id)},
        days=inst.settings.bin_days,
        notes=notes,
    )
