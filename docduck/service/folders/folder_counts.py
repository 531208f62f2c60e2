"""Numbers of documents in folders, from the counters in the catalog."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck.catalog.models import DocumentCount
from docduck.service.core.folder_tree import FolderTree


def direct_counts(session: Session, parser_id: str) -> dict[str, int]:
    """Return the number of documents directly in each folder; empty folders are omitted."""
    result = session.execute(
        select(DocumentCount.folder_id, func.sum(DocumentCount.documents))
        .where(DocumentCount.parser_id == parser_id)
        .group_by(DocumentCount.folder_id)
    )
    return {folder_id: int(count) for folder_id, count in result if count}


def subtree_counts(tree: FolderTree, direct: Mapping[str, int]) -> dict[str, int]:
    """Return the number of documents in each folder and its subfolders."""
    totals = dict.fromkeys((folder.id for folder in tree.folders), 0)
    for folder in tree.folders:
        for above in tree.path(folder.id):
            totals[above.id] += direct.get(folder.id, 0)
    return totals
