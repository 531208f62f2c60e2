"""Creating, renaming and moving folders, and setting their rules."""

from __future__ import annotations

from typing import Any, TypedDict

from pydantic.alias_generators import to_camel
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, Folder, Parser
from docduck.errors import Conflict, InputError
from docduck.ids import new_id
from docduck.service.core import audit, warehouse_outbox
from docduck.service.core.folder_paths import DEEPEST, folder_slug
from docduck.service.core.folder_tree import FolderTree, load_tree
from docduck.service.core.installation import Installation
from docduck.service.core.names import checked_name
from docduck.service.folders.auto_assignment import parse_auto_assignment
from docduck.service.folders.folder_lookup import lock_folders, require_folder, show_folder
from docduck.service.folders.folder_views import FolderView
from docduck.service.parsers.parsers import view as parser_view

LONGEST_COLOR = 64
NO_RULES = "hasAutoAssign needs an autoAssignment with rules or instructions"


class FolderChanges(TypedDict, total=False):
    """Changes of a folder; a missing key leaves the value as it is. ``auto_assignment`` is an object, a
    boolean or None.
    """

    name: str
    color: str | None
    parent_id: str | None
    has_auto_assign: bool
    auto_assignment: Any


def create_folder(
    inst: Installation, team_id: str, parser_ref: str, new: FolderChanges, actor: str = "user"
) -> FolderView:
    """Create a folder; raise InputError, NotFound for the parser or the parent folder, and Conflict."""
    name = checked_name(new.get("name", ""))
    try:
        with inst.catalog.transaction() as session:
            parser, tree = lock_folders(session, team_id, parser_ref)
            if len(tree.folders) >= inst.settings.max_folders:
                raise InputError(f"A parser may have {inst.settings.max_folders} folders")
            folder = Folder(id=new_id(), team_id=parser.team_id, parser_id=parser.id)
            folder.color = _color(new.get("color"))
            _place(tree, parser, folder, name, new.get("parent_id"))
            _assign(folder, parser, new)
            session.add(folder)
            session.flush()
            audit.record(session, team_id, actor, "folder.created", "folder", [(folder.id, {"name": name})])
            return show_folder(session, parser, load_tree(session, parser.id), folder.id)
    except IntegrityError as error:
        raise _taken(name) from error


def update_folder(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    folder_id: str,
    changes: FolderChanges,
    actor: str = "user",
) -> FolderView:
    """Change a folder; a ``parent_id`` of None makes it a root folder.

    Raise InputError, NotFound for the parser, the folder or its new parent, and Conflict.
    """
    name = checked_name(changes["name"]) if "name" in changes else None
    try:
        with inst.catalog.transaction() as session:
            parser, tree = lock_folders(session, team_id, parser_ref)
            folder = require_folder(tree, folder_id)
            before = _facts(folder)
            if "color" in changes:
                folder.color = _color(changes["color"])
            parent_id = changes.get("parent_id", folder.parent_id)
            if name is not None or parent_id != folder.parent_id:
                _replace(session, tree, parser, folder, name or folder.name, parent_id)
            _assign(folder, parser, changes)
            details = audit.changes(before, _facts(folder))
            if details["changed"]:
                audit.record(session, team_id, actor, "folder.updated", "folder", [(folder.id, details)])
            session.flush()
            return show_folder(session, parser, load_tree(session, parser.id), folder.id)
    except IntegrityError as error:
        raise _taken(name or "") from error


def _facts(folder: Folder) -> dict[str, Any]:
    return {to_camel(name): getattr(folder, name) for name in FolderChanges.__annotations__}


def _replace(
    session: Session, tree: FolderTree, parser: Parser, folder: Folder, name: str, parent_id: str | None
) -> None:
    """Rename or move a folder, and update the warehouse."""
    before = (folder.name, folder.parent_id)
    _place(tree, parser, folder, name, parent_id)
    if (folder.name, folder.parent_id) != before:
        ids = [one.id for one in tree.subtree(folder.id)]
        warehouse_outbox.enqueue_processed(session, Document.folder_id.in_(ids))


def _place(tree: FolderTree, parser: Parser, folder: Folder, name: str, parent_id: str | None) -> None:
    """Set a folder's name, slug and parent; raise Conflict if that is impossible."""
    parent = require_folder(tree, parent_id) if parent_id is not None else None
    depth = tree.depth(parent.id) + 1 if parent else 0
    if tree.find(folder.id) is not None:
        below = tree.subtree(folder.id)
        if parent is not None and parent in below:
            raise Conflict("A folder can't be moved into itself or into a folder below it", "parentId")
        depth += max(tree.depth(one.id) for one in below) - tree.depth(folder.id)
    if depth > DEEPEST:
        raise InputError(f"Folders may be nested at most {DEEPEST} deep", "parentId")
    siblings = [one for one in tree.children(parent.id if parent else None) if one.id != folder.id]
    if any(one.name.casefold() == name.casefold() for one in siblings):
        raise _taken(name)
    folder.name = name
    folder.parent_id = parent.id if parent else None
    folder.parent_key = parent.id if parent else parser.id
    folder.slug = folder_slug(name, [one.slug for one in siblings])


def _assign(folder: Folder, parser: Parser, changes: FolderChanges) -> None:
    """Set the rules and whether they are enabled."""
    wanted = changes.get("has_auto_assign")
    on = bool(folder.has_auto_assign) if wanted is None else wanted
    if "auto_assignment" in changes:
        given = changes["auto_assignment"]
        if isinstance(given, bool):
            if wanted not in (None, given):
                raise InputError("hasAutoAssign and autoAssignment contradict each other", "hasAutoAssign")
            on = given
        elif given is None:
            folder.auto_assignment = None
            on = bool(wanted)
        else:
            parsed = parse_auto_assignment(given, parser_view(parser).fields)
            # New rules are enabled unless disabled explicitly.
            on = wanted if wanted is not None else on or folder.auto_assignment is None
            folder.auto_assignment = parsed.as_json(by_id=True)
    if on and not folder.auto_assignment:
        raise InputError(NO_RULES, "hasAutoAssign")
    folder.has_auto_assign = on


def _color(given: str | None) -> str | None:
    if given is not None and not 1 <= len(given.strip()) <= LONGEST_COLOR:
        raise InputError(f"color must have 1 to {LONGEST_COLOR} characters, or be null", "color")
    return given.strip() if given is not None else None


def _taken(name: str) -> Conflict:
    return Conflict(f"Folder already exists: {name}", "name")
