"""The folders of a parser: making, renaming, moving and deleting them, and which documents they take."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.errors import Forbidden, InputError, NotFound
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.folders.folder_changes import create_folder, update_folder
from docduck.service.folders.folder_deletion import delete_folder
from docduck.service.folders.folder_lookup import get_folder, list_folders
from docduck.service.folders.folder_views import FolderView
from docduck.service.parsers.parsers import get_parser
from docduck.service.schemas.folders import LONGEST_INSTRUCTIONS, FolderUpdate, NewFolder
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.rest_bodies import checked_body, error_at_top
from docduck.web.visit import CurrentMember, CurrentUser, Form, UserForm, form_value

_TYPED = ("name", "parent", "instructions")

router = APIRouter(prefix="/parsers/{parser_ref}/folders", include_in_schema=False, route_class=PageRoute)

_DONE = {
    "saved": "The folders are saved.",
    "deleted": "The folder is deleted; its documents stay.",
}


@router.get("")
def show(
    parser_ref: str, inst: Inst, signed_in: CurrentUser, user: CurrentMember, done: str = ""
) -> Response:
    """Return the parser's folders."""
    require(user, "folders:write")
    return _page(inst, signed_in, user, parser_ref, done=_DONE.get(done, ""))


@router.post("")
def add(parser_ref: str, form: UserForm, inst: Inst, signed_in: CurrentUser, user: CurrentMember) -> Response:
    """Create a folder."""
    require(user, "folders:write")
    parser = get_parser(inst, user.team_id, parser_ref)
    try:
        new = checked_body(NewFolder, _typed(form, None)).given()
        create_folder(inst, user.team_id, parser.id, new, user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return _page(inst, signed_in, user, parser_ref, error=error, typed=form)
    return _back(parser.slug, "saved")


@router.post("/{folder_id}")
def change(
    parser_ref: str, folder_id: str, form: UserForm, inst: Inst, signed_in: CurrentUser, user: CurrentMember
) -> Response:
    """Change or delete a folder."""
    require(user, "folders:write")
    parser = get_parser(inst, user.team_id, parser_ref)
    if form_value(form, "action") == "delete":
        delete_folder(inst, user.team_id, parser.id, folder_id, actor=user.actor)
        return _back(parser.slug, "deleted")
    folder = get_folder(inst, user.team_id, parser.id, folder_id)
    try:
        changes = checked_body(FolderUpdate, _typed(form, folder)).given()
        update_folder(inst, user.team_id, parser.id, folder.id, changes, user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return _page(inst, signed_in, user, parser_ref, error=error, typed=form, place=folder.id)
    return _back(parser.slug, "saved")


def _typed(form: Form, folder: FolderView | None) -> dict[str, Any]:
    """Return the properties in a form; rules that the folder has stay as they are."""
    old = folder.auto_assignment.as_json(by_id=False) if folder and folder.auto_assignment else {"rules": []}
    instructions = form_value(form, "instructions").strip() or None
    takes = {**old, "instructions": instructions} if old["rules"] or instructions else None
    return {
        "name": form_value(form, "name"),
        "parentId": form_value(form, "parent") or None,
        "autoAssignment": takes,
        "hasAutoAssign": takes is not None and (folder is None or form_value(form, "takes") == "yes"),
    }


def _page(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    parser_ref: str,
    *,
    done: str = "",
    error: InputError | None = None,
    typed: Form | None = None,
    place: str = "new",
) -> Response:
    """Return the page; ``typed`` is the form that is wrong, of the folder ``place``."""
    parser = get_parser(inst, user.team_id, parser_ref)
    return page(
        "folders/folders.html.j2",
        signed_in,
        done=done,
        error=None if error is None else error_at_top(error),
        parser=parser,
        tab="folders",
        folders=list_folders(inst, user.team_id, parser.id),
        typed={name: form_value(typed or {}, name) for name in _TYPED},
        place=place if typed else "",
        longest_instructions=LONGEST_INSTRUCTIONS,
    )


def _back(slug: str, done: str) -> Response:
    return RedirectResponse(f"/parsers/{slug}/folders?done={done}", 303)
