"""Folders as shown to users."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from docduck.catalog.models import Folder
from docduck.fields import Field
from docduck.service.core.folder_tree import FolderTree
from docduck.service.folders.auto_assignment import AutoAssignment, restore_auto_assignment
from docduck.service.folders.folder_counts import direct_counts, subtree_counts


@dataclass(frozen=True, slots=True)
class FolderView:
    """A folder with its position and contents.

    ``document_count`` includes subfolders; ``depth`` is 0 at the root.
    """

    id: str
    name: str
    slug: str
    color: str | None
    parent_id: str | None
    document_count: int
    direct_document_count: int
    child_folder_count: int
    path_ids: tuple[str, ...]
    path_names: tuple[str, ...]
    path_label: str
    depth: int
    has_auto_assign: bool
    auto_assignment: AutoAssignment | None
    created_at: dt.datetime
    updated_at: dt.datetime


def views(
    session: Session, tree: FolderTree, folders: Sequence[Folder], fields: Sequence[Field]
) -> list[FolderView]:
    """Return the views of folders of ``tree``; ``fields`` provide the names in their rules."""
    if not folders:
        return []
    direct = direct_counts(session, folders[0].parser_id)
    totals = subtree_counts(tree, direct)
    return [_view(tree, folder, fields, direct.get(folder.id, 0), totals[folder.id]) for folder in folders]


def _view(tree: FolderTree, row: Folder, fields: Sequence[Field], direct: int, total: int) -> FolderView:
    path = tree.path(row.id)
    rules = row.auto_assignment
    return FolderView(
        id=row.id,
        name=row.name,
        slug=row.slug,
        color=row.color,
        parent_id=row.parent_id,
        document_count=total,
        direct_document_count=direct,
        child_folder_count=len(tree.children(row.id)),
        path_ids=tuple(folder.id for folder in path),
        path_names=tuple(folder.name for folder in path),
        path_label=tree.label(row.id),
        depth=tree.depth(row.id),
        has_auto_assign=row.has_auto_assign,
        auto_assignment=restore_auto_assignment(rules, fields) if rules else None,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
