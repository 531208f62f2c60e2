"""How many documents are in folders."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document
from docduck.service.folder_tree import FolderTree


def direct_counts(session: Session, folder_ids: Collection[str]) -> dict[str, int]:
    """Documents right in each folder; a folder that is left out has none."""
    found = session.execute(
        select(Document.folder_id, func.count())
        .where(Document.folder_id.in_(folder_ids))
        .group_by(Document.folder_id)
    )
    return {folder_id: count for folder_id, count in found if folder_id is not None}


def subtree_counts(tree: FolderTree, direct: Mapping[str, int]) -> dict[str, int]:
    """Documents in each folder and all below it."""
    totals = dict.fromkeys((folder.id for folder in tree.folders), 0)
    for folder_id, count in direct.items():
        for above in tree.path(folder_id):
            totals[above.id] += count
    return totals
