"""Creating, renaming and moving folders, and setting their rules."""

from __future__ import annotations

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, Folder, Parser
from docduck.catalog.notifications import RUN_NEEDED, notify
from docduck.errors import Conflict, InputError
from docduck.ids import new_id
from docduck.service.core import audit, warehouse_outbox
from docduck.service.core.folder_tree import DEEPEST, MAX_FOLDERS, FolderTree, folder_slug, load_tree
from docduck.service.core.installation import Installation
from docduck.service.core.schema import Values
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.folders.auto_assignment import parse_auto_assignment
from docduck.service.folders.folder_lookup import get_folder, lock_folders, require_folder, show_folder
from docduck.service.folders.folder_views import FolderView
from docduck.service.parsers.parsers import view as parser_view
from docduck.service.schemas.folders import FolderProperties, FolderUpdate

NO_RULES = "hasAutoAssign needs an autoAssignment with rules or instructions"


def create_folder(
    inst: Installation, team_id: str, parser_ref: str, new: Values, actor: str = "user"
) -> FolderView:
    """Create a folder; raise InputError, NotFound for the parser or the parent folder, and Conflict."""
    if (earlier := earlier_effect()) is not None:
        return get_folder(inst, team_id, parser_ref, earlier["folder"])
    properties = FolderProperties.of_values(new).sent_values()
    name = properties["name"]
    try:
        with inst.catalog.transaction() as session:
            parser, tree = lock_folders(session, team_id, parser_ref)
            if len(tree.folders) >= MAX_FOLDERS:
                raise InputError(f"A parser may have {MAX_FOLDERS} folders", code="limit_reached")
            folder = Folder(id=new_id(), team_id=parser.team_id, parser_id=parser.id)
            _place(tree, parser, folder, name, properties.get("parent_id"))
            _set(folder, parser, properties)
            session.add(folder)
            session.flush()
            audit.record(session, team_id, actor, "folder.created", "folder", [(folder.id, {"name": name})])
            record_effect(session, folder=folder.id)
            return show_folder(session, parser, load_tree(session, parser.id), folder.id)
    except IntegrityError as error:
        raise _taken(name) from error


def update_folder(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    folder_id: str,
    changes: Values,
    actor: str = "user",
) -> FolderView:
    """Change a folder; a ``parent_id`` of None makes it a root folder.

    Raise InputError, NotFound for the parser, the folder or its new parent, and Conflict.
    """
    properties = FolderUpdate.of_values(changes).sent_values()
    name = properties.get("name")
    try:
        with inst.catalog.transaction() as session:
            parser, tree = lock_folders(session, team_id, parser_ref)
            folder = require_folder(tree, folder_id)
            before = FolderProperties.facts(folder)
            parent_id = properties.get("parent_id", folder.parent_id)
            if name is not None or parent_id != folder.parent_id:
                _replace(session, tree, parser, folder, name or folder.name, parent_id)
            _set(folder, parser, properties)
            details = audit.changes(before, FolderProperties.facts(folder))
            if details["changed"]:
                audit.record(session, team_id, actor, "folder.updated", "folder", [(folder.id, details)])
            session.flush()
            return show_folder(session, parser, load_tree(session, parser.id), folder.id)
    except IntegrityError as error:
        raise _taken(name or "") from error


def _replace(
    session: Session, tree: FolderTree, parser: Parser, folder: Folder, name: str, parent_id: str | None
) -> None:
    """Rename or move a folder, and update the warehouse."""
    before = (folder.name, folder.parent_id)
    _place(tree, parser, folder, name, parent_id)
    if (folder.name, folder.parent_id) != before:
        ids = [member.id for member in tree.subtree(folder.id)]
        warehouse_outbox.enqueue_processed(session, Document.folder_id.in_(ids))
        notify(session, RUN_NEEDED, [parser.id])


def _place(tree: FolderTree, parser: Parser, folder: Folder, name: str, parent_id: str | None) -> None:
    """Set a folder's name, slug and parent; raise Conflict if that is impossible."""
    parent = require_folder(tree, parent_id) if parent_id is not None else None
    depth = tree.depth(parent.id) + 1 if parent else 0
    if tree.find(folder.id) is not None:
        below = tree.subtree(folder.id)
        if parent is not None and parent in below:
            raise Conflict("A folder can't be moved into itself or into a folder below it", "parentId")
        depth += max(tree.depth(folder.id) for folder in below) - tree.depth(folder.id)
    if depth > DEEPEST:
        raise InputError(f"Folders may be nested at most {DEEPEST} deep", "parentId")
    siblings = [child for child in tree.children(parent.id if parent else None) if child.id != folder.id]
    if any(sibling.name.casefold() == name.casefold() for sibling in siblings):
        raise _taken(name)
    folder.name = name
    folder.parent_id = parent.id if parent else None
    folder.parent_key = parent.id if parent else parser.id
    folder.slug = folder_slug(name, [sibling.slug for sibling in siblings])


def _set(folder: Folder, parser: Parser, properties: Values) -> None:
    """Store properties: all as they are, but for those that need care."""
    for name, value in properties.items():
        if name not in ("name", "parent_id", "has_auto_assign", "auto_assignment"):
            setattr(folder, name, value)
    _assign(folder, parser, properties)


def _assign(folder: Folder, parser: Parser, changes: Values) -> None:
    """Set the rules and whether they are enabled."""
    has_auto_assign = changes.get("has_auto_assign")
    on = bool(folder.has_auto_assign) if has_auto_assign is None else has_auto_assign
    if "auto_assignment" in changes:
        assignment = changes["auto_assignment"]
        if isinstance(assignment, bool):
            if has_auto_assign not in (None, assignment):
                raise InputError("hasAutoAssign and autoAssignment contradict each other", "hasAutoAssign")
            on = assignment
        elif assignment is None:
            folder.auto_assignment = None
            on = bool(has_auto_assign)
        else:
            parsed = parse_auto_assignment(assignment, parser_view(parser).fields)
            # New rules are enabled unless disabled explicitly.
            on = has_auto_assign if has_auto_assign is not None else on or folder.auto_assignment is None
            folder.auto_assignment = parsed.as_json(by_id=True)
    if on and not folder.auto_assignment:
        raise InputError(NO_RULES, "hasAutoAssign")
    folder.has_auto_assign = on


def _taken(name: str) -> Conflict:
    return Conflict(f"Folder already exists: {name}", "name")
