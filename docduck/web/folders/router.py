"""The folders of a parser: making, renaming, moving and deleting them, and which documents they take."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated, Any

from starlette.responses import Response

from docduck.errors import InputError
from docduck.service.folders.folder_changes import create_folder, update_folder
from docduck.service.folders.folder_deletion import delete_folder
from docduck.service.folders.folder_lookup import get_folder, list_folders
from docduck.service.folders.folder_views import FolderView
from docduck.service.schemas.folders import LONGEST_INSTRUCTIONS, FolderUpdate, NewFolder
from docduck.web.controls import SHOWN, shown_before
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import checked_body, error_at_top, shown_on
from docduck.web.visit import Form, UserForm, as_sent, form_value

router = PageRouter("/parsers/{parser_ref}/folders")

_NEW = "new"
_EMPTY = {"name": "", "parent": "", "instructions": "", "takes": "yes"}
"""What the form of a new folder shows."""
_DONE = {
    "saved": "The folders are saved.",
    "deleted": "The folder is deleted; its documents stay.",
}

Writer = Annotated[ParserVisit, of_parser("folders:write")]


@router.get("")
def show(at: Writer, done: str = "") -> Response:
    """Return the parser's folders."""
    return _page(at, done=_DONE.get(done, ""))


@router.post("")
def add(form: UserForm, at: Writer) -> Response:
    """Create a folder."""
    with shown_on(partial(_page, at, _NEW, form)):
        new = checked_body(NewFolder, {"name": "", **_changes(form, None)}).sent_values()
        create_folder(*at.of_parser, new, at.user.actor)
    return at.back("folders", done="saved")


@router.post("/{folder_id}")
def change(folder_id: str, form: UserForm, at: Writer) -> Response:
    """Change or delete a folder."""
    if form_value(form, "action") == "delete":
        delete_folder(*at.of_parser, folder_id, actor=at.user.actor)
        return at.back("folders", done="deleted")
    folder = get_folder(*at.of_parser, folder_id)
    with shown_on(partial(_page, at, folder.id, form)):
        changes = checked_body(FolderUpdate, _changes(form, folder)).sent_values()
        update_folder(*at.of_parser, folder.id, changes, at.user.actor)
    return at.back("folders", done="saved")


def _stored(folder: FolderView) -> dict[str, str]:
    """Return what the form of a folder shows."""
    rules = folder.auto_assignment
    return {
        "name": folder.name,
        "parent": folder.parent_id or "",
        "instructions": as_sent(rules.instructions or "") if rules else "",
        "takes": "yes" if folder.has_auto_assign or not rules else "",
    }


def _typed(form: Form) -> dict[str, str]:
    return {name: form_value(form, name) for name in _EMPTY}


def _changes(form: Form, folder: FolderView | None) -> dict[str, Any]:
    """Return what a form changes of what it showed of a folder, or of a new one for None.

    What was changed elsewhere meanwhile stays, and so do rules. Raise InputError.
    """
    before = _EMPTY if folder is None else shown_before(form_value(form, SHOWN))
    typed = _typed(form)
    changed = {name for name, value in typed.items() if value != before.get(name)}
    body: dict[str, Any] = {}
    if "name" in changed:
        body["name"] = typed["name"]
    if "parent" in changed:
        body["parentId"] = typed["parent"] or None
    old = folder.auto_assignment if folder else None
    is_filled = old is not None
    if "instructions" in changed:
        rules = old.as_json(by_id=False) if old else {"rules": []}
        instructions = typed["instructions"].strip() or None
        is_filled = bool(rules["rules"] or instructions)
        body["autoAssignment"] = {**rules, "instructions": instructions} if is_filled else None
    if "takes" in changed or is_filled != (old is not None):
        body["hasAutoAssign"] = is_filled and (folder is None or typed["takes"] == "yes")
    return body


def _page(
    at: ParserVisit,
    place: str = "",
    typed: Form | None = None,
    error: InputError | None = None,
    done: str = "",
) -> Response:
    """Return the page; ``typed`` is the form that is wrong, of the folder ``place``."""
    folders = list_folders(*at.of_parser)

    def parents(id_: str) -> list[tuple[str, str]]:
        """Return the folders that a folder can be in."""
        others = (other for other in folders if other.id != id_ and id_ not in other.path_ids)
        return [(other.id, other.path_label) for other in others]

    shown = {_NEW: _EMPTY} | {folder.id: _stored(folder) for folder in folders}
    forms = {id_: (values, json.dumps(values)) for id_, values in shown.items()}
    if typed:
        forms[place] = (_typed(typed), form_value(typed, SHOWN))
    return at.page(
        "folders/folders.html.j2",
        done=done,
        error=error_at_top(error),
        folders=folders,
        parents=parents,
        forms=forms,
        wrong=place,
        longest_instructions=LONGEST_INSTRUCTIONS,
    )
