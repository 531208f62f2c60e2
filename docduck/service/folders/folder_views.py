"""Folders as shown to users."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck.catalog.models import DocumentCount, Folder
from docduck.fields import Field
from docduck.service.core.folder_tree import FolderTree
from docduck.service.folders.auto_assignment import AutoAssignment, restore_auto_assignment


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
    direct = _direct_counts(session, folders[0].parser_id)
    totals = _subtree_counts(tree, direct)
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


def _direct_counts(session: Session, parser_id: str) -> dict[str, int]:
    """Return the number of documents directly in each folder; empty folders are omitted."""
    result = session.execute(
        select(DocumentCount.folder_id, func.sum(DocumentCount.documents))
        .where(DocumentCount.parser_id == parser_id)
        .group_by(DocumentCount.folder_id)
    )
    return {folder_id: int(count) for folder_id, count in result if count}


def _subtree_counts(tree: FolderTree, direct: Mapping[str, int]) -> dict[str, int]:
    """Return the number of documents in each folder and its subfolders."""
    totals = dict.fromkeys((folder.id for folder in tree.folders), 0)
    for folder in tree.folders:
        for above in tree.path(folder.id):
            totals[above.id] += direct.get(folder.id, 0)
    return totals
