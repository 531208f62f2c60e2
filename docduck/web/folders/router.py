"""The folders of a parser: making, renaming, moving and deleting them, and which documents they take."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from starlette.responses import Response

from docduck.errors import InputError
from docduck.service.folders.folder_changes import create_folder, update_folder
from docduck.service.folders.folder_deletion import delete_folder
from docduck.service.folders.folder_lookup import get_folder, list_folders
from docduck.service.folders.folder_views import FolderView
from docduck.service.schemas.folders import LONGEST_INSTRUCTIONS, FolderUpdate, NewFolder
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import checked_body, error_at_top, shown_on
from docduck.web.visit import Form, UserForm, form_value

router = PageRouter("/parsers/{parser_ref}/folders")

_TYPED = ("name", "parent", "instructions")
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
    with shown_on(partial(_page, at, "new", form)):
        new = checked_body(NewFolder, _typed(form, None)).sent_values()
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
        changes = checked_body(FolderUpdate, _typed(form, folder)).sent_values()
        update_folder(*at.of_parser, folder.id, changes, at.user.actor)
    return at.back("folders", done="saved")


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

    return at.page(
        "folders/folders.html.j2",
        done=done,
        error=error_at_top(error),
        folders=folders,
        parents=parents,
        typed={name: form_value(typed or {}, name) for name in _TYPED},
        place=place if typed else "",
        longest_instructions=LONGEST_INSTRUCTIONS,
    )
