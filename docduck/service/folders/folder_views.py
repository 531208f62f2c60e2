"""Folders as shown to users."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field as PydanticField
from pydantic import PlainSerializer
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck.catalog.models import DocumentCount, Folder
from docduck.fields import Field
from docduck.service.core.folder_tree import FolderTree
from docduck.service.core.schema import UtcTime, View
from docduck.service.folders.auto_assignment import AutoAssignment, restore_auto_assignment
from docduck.service.schemas.folders import FolderProperties


def _rules(auto_assignment: AutoAssignment) -> dict[str, Any]:
    return auto_assignment.as_json(by_id=False)


ShownRules = Annotated[Any, PlainSerializer(_rules)]
"""An ``AutoAssignment``, whose parts are none of the API's schemas."""


class FolderView(FolderProperties, View):
    """A folder, its place, and its counts."""

    slug: str = PydanticField(examples=["2026"])
    document_count: int = PydanticField(description="Documents in it and in all folders below it")
    direct_document_count: int
    child_folder_count: int
    path_ids: tuple[str, ...]
    path_names: tuple[str, ...] = PydanticField(examples=[["Invoices", "2026"]])
    path_label: str = PydanticField(examples=["Invoices / 2026"])
    depth: int = PydanticField(description="How many folders are above it", ge=0)
    auto_assignment: ShownRules | None
    created_at: UtcTime
    updated_at: UtcTime


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
    return FolderView.of(
        row,
        document_count=total,
        direct_document_count=direct,
        child_folder_count=len(tree.children(row.id)),
        path_ids=tuple(folder.id for folder in path),
        path_names=tuple(folder.name for folder in path),
        path_label=tree.label(row.id),
        depth=tree.depth(row.id),
        auto_assignment=restore_auto_assignment(rules, fields) if rules else None,
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
