"""The bin's page: documents that were deleted on the pages are restored, or deleted for good."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from starlette.responses import Response

from docduck.errors import InputError
from docduck.service.accounts.accounts import members
from docduck.service.documents.bin.contents import batch_ids, delete_for_good, empty_bin_of, list_binned
from docduck.service.documents.bin.restoring import restore_documents
from docduck.service.parsers.parser_listing import parser_names
from docduck.web.member import Visit, of_member
from docduck.web.page import PageNumber, page_link, see_other
from docduck.web.page_route import PageRouter
from docduck.web.visit import UserForm, form_value, own_path

router = PageRouter("/bin")

_LIMIT = 50

Deleter = Annotated[Visit, of_member("documents:delete")]


@router.get("")
def list_(at: Deleter, number: PageNumber = 1) -> Response:
    """Return a page of the documents in the team's bin."""
    return _page(at, number)


@router.post("")
def act(form: UserForm, at: Deleter) -> Response:
    """Restore the documents that were chosen, or delete them, or all, for good."""
    ids = form.get("document", [])
    if form_value(form, "action") == "empty":
        empty_bin_of(*at.team, at.user.actor)
        return see_other("/bin")
    if not ids:
        raise InputError("Choose the documents")
    match form_value(form, "action"):
        case "restore":
            return _restored(at, ids, "/bin")
        case "delete":
            delete_for_good(*at.team, ids, at.user.actor)
            return see_other("/bin")
        case _:
            raise InputError("Choose what to do with the documents")


@router.post("/undo")
def undo(form: UserForm, at: Deleter) -> Response:
    """Restore what was deleted by one action."""
    ids = batch_ids(*at.team, form_value(form, "batch"))
    return _restored(at, ids, own_path(form_value(form, "next") or "/documents"))


def _restored(at: Visit, ids: list[str], way_on: str) -> Response:
    notes = restore_documents(*at.team, ids, at.user.actor).notes
    return _page(at, 1, notes) if notes else see_other(way_on)


def _page(at: Visit, number: int, notes: Sequence[str] = ()) -> Response:
    return at.page(
        "bin/bin.html.j2",
        binned=list_binned(*at.team, page=number, limit=_LIMIT),
        link=partial(page_link, "/bin"),
        parsers=parser_names(*at.team),
        people={member.id: member.name for member in members(*at.team)},
        days=at.inst.settings.bin_days,
        notes=notes,
    )
