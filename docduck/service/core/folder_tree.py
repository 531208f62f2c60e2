"""The folders of a parser as a tree: their order, paths and labels (contract C11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Folder


class FolderTree:
    """``folders`` are in depth-first order, siblings by name; a root folder has the depth 0."""

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
        """The folder with this id, or None."""
        path = self._paths.get(folder_id.lower())
        return path[-1] if path else None

    def children(self, parent_id: str | None) -> Sequence[Folder]:
        """The folders right below one, or the root folders."""
        return self._children.get(parent_id, ())

    def path(self, folder_id: str) -> tuple[Folder, ...]:
        """The folders that lead to one, from the root; it is the last."""
        return self._paths[folder_id]

    def depth(self, folder_id: str) -> int:
        """How many folders are above one."""
        return len(self._paths[folder_id]) - 1

    def subtree(self, folder_id: str) -> list[Folder]:
        """The folder, and all below it."""
        return [one for one in self.folders if any(above.id == folder_id for above in self.path(one.id))]

    def label(self, folder_id: str) -> str:
        """The path in words: ``Invoices / 2026``."""
        return " / ".join(folder.name for folder in self._paths[folder_id])


def load_tree(session: Session, parser_id: str) -> FolderTree:
    """The parser's folders as they are now, whatever the session has seen before."""
    return FolderTree(
        session.scalars(
            select(Folder).where(Folder.parser_id == parser_id).execution_options(populate_existing=True)
        )
    )
