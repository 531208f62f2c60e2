"""Folders by their paths, created where they are missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy.orm import Session

from docduck.catalog.models import Folder
from docduck.files.names import clean_name
from docduck.ids import new_id, snake_case, unique
from docduck.service.core import audit
from docduck.service.core.folder_tree import FolderTree, load_tree
from docduck.service.core.property_types import LONGEST_NAME

MAX_FOLDERS = 1000
"""Of a parser."""

DEEPEST = 10
"""How many folders may be above one."""

Path = tuple[str, ...]


def folder_slug(name: str, taken: Sequence[str]) -> str:
    """Return the slug of a new folder whose siblings have those ``taken``."""
    base = snake_case(name, otherwise="folder").strip("_").replace("_", "-")
    return unique(base, taken, "-")


def ensure_folders(
    session: Session, team_id: str, parser_id: str, paths: Iterable[Path], actor: str
) -> Mapping[Path, str | None]:
    """Return the ids of a parser's folders at these paths; create missing ones.

    The caller has locked the parser. Names are cleaned; case doesn't count. Instead of one that would be too
    deep, or one of more than ``MAX_FOLDERS``, it is the folder above it, or None.
    """
    wanted = set(paths)
    if not wanted:
        return {}
    tree = load_tree(session, parser_id)
    folder_ids: dict[Path, str | None] = {(): None}
    for path in sorted(wanted):
        for end in range(1, len(path) + 1):
            if path[:end] in folder_ids:
                continue
            above = folder_ids[path[: end - 1]]
            name = clean_name(path[end - 1])[:LONGEST_NAME].strip()
            siblings = tree.children(above)
            known = next(
                (sibling for sibling in siblings if sibling.name.casefold() == name.casefold()), None
            )
            if known is None and end <= DEEPEST + 1 and len(tree.folders) < MAX_FOLDERS:
                known = Folder(
                    id=new_id(),
                    team_id=team_id,
                    parser_id=parser_id,
                    parent_id=above,
                    parent_key=above or parser_id,
                    name=name,
                    slug=folder_slug(name, [sibling.slug for sibling in siblings]),
                    has_auto_assign=False,
                )
                session.add(known)
                session.flush()
                audit.record(
                    session, team_id, actor, "folder.created", "folder", [(known.id, {"name": name})]
                )
                tree = FolderTree([*tree.folders, known])
            folder_ids[path[:end]] = above if known is None else known.id
    return folder_ids
