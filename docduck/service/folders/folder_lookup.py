"""Look-up of folders."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Folder, Parser
from docduck.errors import NotFound
from docduck.service.core.folder_tree import FolderTree, load_tree
from docduck.service.core.installation import Installation
from docduck.service.folders.folder_views import FolderView, views
from docduck.service.parsers.parsers import find as find_parser
from docduck.service.parsers.parsers import view as parser_view

ROOT = "root"
"""The ``parent`` of root folders in lists."""


def list_folders(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    *,
    parent: str | None = None,
    q: str | None = None,
    flat: bool | None = None,
) -> list[FolderView]:
    """Return the parser's folders, depth-first; ``parent`` (an id or ``root``) limits them to its subfolders.

    ``flat`` includes all levels below ``parent``, otherwise only one; it defaults to True without a parent.
    ``q`` is part of the name, ignoring case. Raise NotFound for the parser or the parent.
    """
    with inst.catalog.read_session() as session:
        parser = find_parser(session, team_id, parser_ref.lower())
        tree = load_tree(session, parser.id)
        parent_id = None if parent in (None, ROOT) else require_folder(tree, str(parent)).id
        if (parent is None) if flat is None else flat:
            chosen = tree.folders if parent_id is None else tree.subtree(parent_id)[1:]
        else:
            chosen = list(tree.children(parent_id))
        words = (q or "").strip().casefold()
        chosen = [folder for folder in chosen if words in folder.name.casefold()]
        return views(session, tree, chosen, parser_view(parser).fields)


def get_folder(inst: Installation, team_id: str, parser_ref: str, folder_id: str) -> FolderView:
    """Return a folder; raise NotFound."""
    with inst.catalog.read_session() as session:
        parser = find_parser(session, team_id, parser_ref.lower())
        return show_folder(session, parser, load_tree(session, parser.id), folder_id)


def show_folder(session: Session, parser: Parser, tree: FolderTree, folder_id: str) -> FolderView:
    """Return the view of a folder of ``tree``; raise NotFound."""
    return views(session, tree, [require_folder(tree, folder_id)], parser_view(parser).fields)[0]


def require_folder(tree: FolderTree, folder_id: str) -> Folder:
    """Return a folder of ``tree``; raise NotFound."""
    folder = tree.find(folder_id)
    if folder is None:
        raise NotFound("Folder not found", "folderId", folder_id)
    return folder


def lock_folders(session: Session, team_id: str, parser_ref: str) -> tuple[Parser, FolderTree]:
    """Return the parser with its folders locked against changes; raise NotFound."""
    parser = find_parser(session, team_id, parser_ref.lower())
    # Documents can still be added: they only reference the parser.
    session.execute(select(Parser.id).where(Parser.id == parser.id).with_for_update(key_share=True))
    return parser, load_tree(session, parser.id)
