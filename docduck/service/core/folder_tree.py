"""The folders of a parser as a tree: their order, paths and labels; and their creation by paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Folder
from docduck.files.names import clean_name
from docduck.ids import new_id, snake_case, unique
from docduck.service.core import audit
from docduck.service.core.property_types import LONGEST_NAME


class FolderTree:
    """``folders`` are in depth-first order, siblings by name. The depth of a root folder is 0."""

    def __init__(self, rows: Iterable[Folder]) -> None:
        self._children: dict[str | None, list[Folder]] = {}
        for row in sorted(rows, key=lambda row: (row.name.casefold(), row.id)):
            self._children.setdefault(row.parent_id, []).append(row)
        self.folders: list[Folder] = []
        self._paths: dict[str, tuple[Folder, ...]] = {}
        self._walk(None, ())

    def _walk(self, parent_id: str | None, above: tuple[Folder, ...]) -> None:
        for folder in self._children.get(parent_id, ()):
            self.folders.append(folder)
            self._paths[folder.id] = (*above, folder)
            self._walk(folder.id, self._paths[folder.id])

    def find(self, folder_id: str) -> Folder | None:
        """Return the folder, or None."""
        path = self._paths.get(folder_id.lower())
        return path[-1] if path else None

    def children(self, parent_id: str | None) -> Sequence[Folder]:
        """Return the direct children of a folder, or the root folders."""
        return self._children.get(parent_id, ())

    def path(self, folder_id: str) -> tuple[Folder, ...]:
        """Return the folders from the root down to this one."""
        return self._paths[folder_id]

    def depth(self, folder_id: str) -> int:
        """Return the number of folders above this one."""
        return len(self._paths[folder_id]) - 1

    def subtree(self, folder_id: str) -> list[Folder]:
        """Return the folder and all folders below it."""
        return [
            folder for folder in self.folders if any(above.id == folder_id for above in self.path(folder.id))
        ]

    def label(self, folder_id: str) -> str:
        """Return the path as text: ``Invoices / 2026``."""
        return " / ".join(folder.name for folder in self._paths[folder_id])


def load_tree(session: Session, parser_id: str) -> FolderTree:
    """Load the parser's folders, ignoring what the session has cached."""
    return FolderTree(
        session.scalars(
            select(Folder).where(Folder.parser_id == parser_id).execution_options(populate_existing=True)
        )
    )


def lock_folders(session: Session, *which: ColumnElement[bool]) -> Sequence[str]:
    """Lock folders until the transaction ends, as documents will be put into them; return their ids.

    Folders are locked before documents and stored files, as when a folder is deleted, to avoid deadlocks.
    """
    statement = select(Folder.id).where(*which).order_by(Folder.id)
    return session.scalars(statement.with_for_update(read=True, key_share=True)).all()


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
    missing = set(paths)
    if not missing:
        return {}
    tree = load_tree(session, parser_id)
    folder_ids: dict[Path, str | None] = {(): None}
    for path in sorted(missing):
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
