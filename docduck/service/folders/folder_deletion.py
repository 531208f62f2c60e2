"""Deletion of folders, with or without their documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pydantic import Field
from sqlalchemy import Select, delete, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, Folder
from docduck.catalog.notifications import RUN_NEEDED, notify
from docduck.service.core import audit, warehouse_outbox
from docduck.service.core.folder_tree import load_tree
from docduck.service.core.installation import Installation
from docduck.service.core.schema import ViewPart
from docduck.service.documents.deletion import delete_rows
from docduck.service.folders.folder_lookup import lock_folders, require_folder
from docduck.service.parsers.parsers import find as find_parser
from docduck.service.search import reindexing
from docduck.service.search.reindexing import KnownDocuments

T = TypeVar("T")

BATCH = 2000
"""Documents moved or deleted per transaction, so that others can write in between."""


class FolderDeleted(ViewPart):
    """A deleted folder, and what was deleted or moved with it."""

    success: bool = Field(examples=[True])
    id: str
    deleted_folders: int
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
) -> FolderDeleted:
    """Delete a folder and its subfolders; their documents are moved out or deleted.

    Many documents take several transactions; the last one deletes the folder. Raise NotFound.
    """
    done = 0
    while True:
        known = _known(inst, team_id, parser_ref, folder_id) if with_documents else None
        with inst.catalog.transaction() as session:
            parser, tree = lock_folders(session, team_id, parser_ref)
            folder = require_folder(tree, folder_id)
            ids = [member.id for member in tree.subtree(folder.id)]
            # From here on no document can be added. Folders are always locked before documents.
            session.execute(select(Folder.id).where(Folder.id.in_(ids)).order_by(Folder.id).with_for_update())
            count, is_empty = _delete(session, ids, known, actor) if known else _move_out(session, ids)
            notify(session, RUN_NEEDED, [parser.id])
            done += count
            if not is_empty:
                continue
            moved, deleted = (0, done) if with_documents else (done, 0)
            details = {"name": folder.name, "movedDocuments": moved, "deletedDocuments": deleted}
            audit.record(session, team_id, actor, "folder.deleted", "folder", [(folder.id, details)])
            session.execute(
                delete(Folder).where(Folder.id.in_(ids)).execution_options(synchronize_session=False)
            )
            return FolderDeleted(
                success=True,
                id=folder.id,
                deleted_folders=len(ids),
                moved_documents=moved,
                deleted_documents=deleted,
            )


def _known(inst: Installation, team_id: str, parser_ref: str, folder_id: str) -> KnownDocuments:
    """Return what the index holds of the next documents to delete."""
    with inst.catalog.read_session() as session:
        tree = load_tree(session, find_parser(session, team_id, parser_ref.lower()).id)
        ids = [folder.id for folder in tree.subtree(require_folder(tree, folder_id).id)]
        return reindexing.known_documents(session, session.scalars(_batch(select(Document.id), ids)).all())


def _delete(
    session: Session, folder_ids: Sequence[str], known: KnownDocuments, actor: str
) -> tuple[int, bool]:
    """Delete a batch of documents that have not changed since ``known``; return how many, and whether it was
    the last.
    """
    rows = session.scalars(_batch(select(Document), folder_ids).with_for_update()).all()
    changed = known.changed(session, rows)
    going = [row for row in rows if row.id not in changed]
    if going:
        delete_rows(session, going, known, actor)
        session.expunge_all()
    return len(going), len(going) == len(rows) < BATCH


def _move_out(session: Session, folder_ids: Sequence[str]) -> tuple[int, bool]:
    """Move a batch of documents out of the folders; return how many, and whether it was the last."""
    ids = session.scalars(_batch(select(Document.id), folder_ids).with_for_update()).all()
    if ids:
        these = Document.id.in_(ids)
        session.execute(
            update(Document)
            .where(these)
            .values(folder_id=None, updated_at=clock.now())
            .execution_options(synchronize_session=False)
        )
        warehouse_outbox.enqueue_processed(session, these)
    return len(ids), len(ids) < BATCH


def _batch(statement: Select[T], folder_ids: Sequence[str]) -> Select[T]:
    """Limit to the first documents of folders, in the order in which documents are always locked."""
    mine = Document.folder_id.in_(folder_ids)
    return statement.where(mine).order_by(Document.id).limit(BATCH)
