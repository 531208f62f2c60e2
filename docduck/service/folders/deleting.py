"""Deleting folders, with their documents or without (contract C11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Select, delete, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, Folder
from docduck.service import audit, outbox
from docduck.service.deleting import delete_rows
from docduck.service.folders.reading import found, locked
from docduck.service.installation import Installation

T = TypeVar("T")

BATCH = 2000
"""Documents that one transaction moves or deletes, so that others can write in between."""


@dataclass(frozen=True, slots=True)
class DeletedFolder:
    """What went: the folder and those below it; documents that are in no folder now, or gone."""

    id: str
    folders: int
    moved_documents: int
    deleted_documents: int


def delete_folder(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    folder_id: str,
    *,
    with_documents: bool = False,
    actor: str = "user",
) -> DeletedFolder:
    """Delete a folder and all below it; their documents are in no folder then, or deleted as well.

    Many documents take several transactions; the folder goes with the last. Raises NotFound.
    """
    done = 0
    while True:
        with inst.catalog.transaction() as session:
            _, tree = locked(session, team_id, parser_ref)
            folder = found(tree, folder_id)
            ids = [one.id for one in tree.subtree(folder.id)]
            # Nothing comes in from here on; folders are locked before documents by everybody.
            session.execute(select(Folder.id).where(Folder.id.in_(ids)).order_by(Folder.id).with_for_update())
            count = _empty(session, ids, with_documents, actor)
            done += count
            if count == BATCH:
                continue
            moved, deleted = (0, done) if with_documents else (done, 0)
            details = {"name": folder.name, "movedDocuments": moved, "deletedDocuments": deleted}
            audit.note(session, team_id, actor, "folder.deleted", "folder", [(folder.id, details)])
            session.execute(
                delete(Folder).where(Folder.id.in_(ids)).execution_options(synchronize_session=False)
            )
            return DeletedFolder(folder.id, len(ids), moved, deleted)


def _empty(session: Session, folder_ids: Sequence[str], with_documents: bool, actor: str) -> int:
    """Take one batch of documents out of folders; gives how many."""
    return _delete(session, folder_ids, actor) if with_documents else _move_out(session, folder_ids)


def _delete(session: Session, folder_ids: Sequence[str], actor: str) -> int:
    rows = session.scalars(_batch(select(Document), folder_ids)).all()
    if rows:
        delete_rows(session, rows, actor)
        session.expunge_all()
    return len(rows)


def _move_out(session: Session, folder_ids: Sequence[str]) -> int:
    ids = session.scalars(_batch(select(Document.id), folder_ids)).all()
    if ids:
        these = Document.id.in_(ids)
        session.execute(
            update(Document)
            .where(these)
            .values(folder_id=None, updated_at=clock.now())
            .execution_options(synchronize_session=False)
        )
        outbox.mark_read(session, these)
    return len(ids)


def _batch(statement: Select[T], folder_ids: Sequence[str]) -> Select[T]:
    """The first documents of folders, locked in the order in which everybody locks them."""
    mine = Document.folder_id.in_(folder_ids)
    return statement.where(mine).order_by(Document.id).limit(BATCH).with_for_update()
