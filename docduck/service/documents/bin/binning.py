"""Deleting documents so that they can be restored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.json_text import Compressed
from docduck.catalog.models import BinnedDocument, Document, StoredFile
from docduck.ids import new_id
from docduck.service.core import file_references
from docduck.service.core.installation import Installation
from docduck.service.core.pages import chunks
from docduck.service.core.transactions import OutdatedPreparation
from docduck.service.documents.bin.snapshots import Snapshot, as_json, changed, portions, read_rows
from docduck.service.documents.deletion import delete_documents, delete_rows, write_known
from docduck.service.documents.queries.document_lookup import by_parser, get_documents
from docduck.service.search.reindexing import KnownDocuments


def bin_documents(
    inst: Installation, team_id: str, document_ids: Sequence[str], actor: str, batch_id: str | None = None
) -> str | None:
    """Delete documents of the team, of any parser, and keep them in the bin; return the batch's id.

    Without a bin they are deleted at once: return None. Raise NotFound for unknown ids and delete nothing.
    Few are deleted in one transaction, as their values may be large.
    """
    if not inst.settings.bin_days:
        delete_documents(inst, team_id, document_ids, actor)
        return None
    by_parser(inst, team_id, document_ids)
    batch = batch_id or new_id()
    for ids in portions({document_id.lower() for document_id in document_ids}):
        _bin(inst, team_id, ids, actor, batch)
    return batch


def _bin(inst: Installation, team_id: str, ids: Sequence[str], actor: str, batch: str) -> None:
    read: Mapping[str, Snapshot] = {}
    packed: Mapping[str, Compressed] = {}

    def find(session: Session, *, lock: bool) -> Sequence[Document]:
        nonlocal read, packed
        rows = get_documents(session, team_id, ids, lock=lock)
        if not lock:
            read = read_rows(session, ids)
            packed = {id_: Compressed.of(as_json(snapshot)) for id_, snapshot in read.items()}
        return rows

    def write(session: Session, rows: Sequence[Document], known: KnownDocuments) -> None:
        if changed(session, read):
            raise OutdatedPreparation
        _keep(session, rows, read, packed, batch, actor)
        delete_rows(session, rows, known, actor)

    write_known(inst, find, write)


def _keep(
    session: Session,
    rows: Sequence[Document],
    read: Mapping[str, Snapshot],
    packed: Mapping[str, Compressed],
    batch_id: str,
    actor: str,
) -> None:
    moment = clock.now()
    binned: list[dict[str, Any]] = [
        {
            "id": row.id,
            "team_id": row.team_id,
            "parser_id": row.parser_id,
            "name": row.name,
            "batch_id": batch_id,
            "created_at": row.created_at,
            "deleted_at": moment,
            "deleted_by": actor,
            "sha256": row.sha256,
            "split_sha256": row.split_sha256,
            "markdown_sha256": next(
                (result["markdown_sha256"] for result in read[row.id].get("document_results", ())), None
            ),
            "snapshot": packed[row.id],
        }
        for row in rows
    ]
    session.connection().execute(insert(BinnedDocument), binned)
    hashes = Counter(
        row[name]
        for row in binned
        for name in ("sha256", "split_sha256", "markdown_sha256")
        if row[name] is not None
    )
    sizes: dict[str, int] = {}
    for chunk in chunks(hashes):
        stored = session.execute(
            select(StoredFile.sha256, StoredFile.size).where(StoredFile.sha256.in_(chunk))
        )
        sizes |= {sha256: size for sha256, size in stored}
    file_references.acquire(session, hashes, sizes)
