"""Restoring documents from the bin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import BinnedDocument, Classifier, Document, DocumentStage, Parser, ReviewStage
from docduck.errors import Conflict, NotFound
from docduck.ids import is_uuid
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.pages import chunks
from docduck.service.core.transactions import OutdatedPreparation, prepare_and_write
from docduck.service.documents.bin.snapshots import Snapshot, from_json, insert_rows, portions
from docduck.service.documents.deletion_log import forget_deletions
from docduck.service.documents.external_ids import used_external_ids
from docduck.service.documents.reprocessing import requeue
from docduck.service.documents.status_transitions import Remark, Transition, record
from docduck.service.search import long_texts
from docduck.service.search.index import (
    Properties,
    Replacement,
    property_entries_of,
    replace_values,
    replacements,
    write_properties,
)
from docduck.service.search.index_tables import Rows, rows_to_write
from docduck.service.search.reindexing import values_to_index
from docduck.statuses import Status

_DOCUMENTS, _RESULTS = "documents", "document_results"


@dataclass(frozen=True, slots=True)
class Restored:
    """Restored documents, by id; ``notes`` tell what is not as it was."""

    ids: Sequence[str]
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Prepared:
    documents: Mapping[str, Mapping[str, Any]]
    rows: Mapping[str, Snapshot]
    properties: Mapping[str, tuple[Properties, Rows]]
    values: Mapping[str, Replacement]
    notes: Sequence[str]


def restore_documents(inst: Installation, team_id: str, document_ids: Sequence[str], actor: str) -> Restored:
    """Restore documents of the team with the ids, values, reviews and histories that they had.

    A folder, stage or member that is gone is left out, and so is an external id that another document has. A
    document whose review can't go on without its stage is read again. Raise NotFound for the first that is
    not in the bin, Conflict for one whose parser was deleted, and restore nothing. Few are restored in one
    transaction, as their values may be large.
    """
    parts = list(portions({document_id.lower() for document_id in document_ids}))
    with inst.catalog.read_session() as session:
        for ids in parts:
            _snapshots(session, team_id, ids)
    notes = [note for ids in parts for note in _restore(inst, team_id, ids, actor)]
    return Restored([document_id for ids in parts for document_id in ids], notes)


def _restore(inst: Installation, team_id: str, ids: Sequence[str], actor: str) -> Sequence[str]:
    def write(session: Session, prepared: _Prepared) -> _Prepared:
        locked = select(BinnedDocument.id).where(BinnedDocument.id.in_(ids)).order_by(BinnedDocument.id)
        still = set(session.scalars(locked.with_for_update()))
        if still != prepared.documents.keys() or _taken(session, prepared.documents):
            raise OutdatedPreparation
        _check_targets(session, prepared.documents)
        try:
            insert_rows(session, prepared.rows)
        except IntegrityError as error:
            # Another document has got an external id meanwhile.
            raise OutdatedPreparation from error
        write_properties(session, prepared.properties)
        replace_values(session, prepared.values)
        session.execute(delete(BinnedDocument).where(BinnedDocument.id.in_(ids)))
        forget_deletions(session, ids)
        names = [(document_id, {"name": row["name"]}) for document_id, row in prepared.documents.items()]
        audit.record(session, team_id, actor, "document.restored", "document", names)
        _go_on(session, ids, actor)
        return prepared

    restored = prepare_and_write(inst, lambda session: _prepare(session, team_id, ids), write)
    if any(replacement.is_long for replacement in restored.values.values()):
        long_texts.write_pending(inst, document_ids=ids)
    return restored.notes


def _snapshots(session: Session, team_id: str, ids: Sequence[str]) -> dict[str, Any]:
    """Return what the bin has of documents, by id; raise NotFound and Conflict."""
    known = [document_id for document_id in ids if is_uuid(document_id)]
    rows = session.execute(
        select(BinnedDocument.id, BinnedDocument.snapshot).where(
            BinnedDocument.team_id == team_id, BinnedDocument.id.in_(known)
        )
    )
    snapshots = {document_id: snapshot for document_id, snapshot in rows}
    for missing in sorted(set(ids) - snapshots.keys()):
        raise NotFound("Document not found in the bin", "documentId", missing)
    _check_targets(session, _documents(snapshots))
    return snapshots


def _documents(snapshots: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {document_id: snapshot[_DOCUMENTS][0] for document_id, snapshot in snapshots.items()}


def _results(snapshots: Mapping[str, Any]) -> Iterator[tuple[str, str | None, Mapping[str, Any]]]:
    for document_id, row in _documents(snapshots).items():
        for result in snapshots[document_id].get(_RESULTS, ()):
            yield document_id, row["parser_id"], result["values"]


def _prepare(session: Session, team_id: str, ids: Sequence[str]) -> _Prepared:
    snapshots = _snapshots(session, team_id, ids)
    documents = _documents(snapshots)
    notes: list[str] = []
    for document_id in _taken(session, documents):
        row = documents[document_id]
        notes.append(
            f"{row['name']} was restored without its external id '{row['external_id']}', which another "
            "document has now"
        )
        documents[document_id] = {**row, "external_id": None}
        snapshots[document_id] = {**snapshots[document_id], _DOCUMENTS: [documents[document_id]]}
    properties = {
        document_id: Properties(row["parser_id"], row["name"], row["external_id"], row["custom"])
        for document_id, row in documents.items()
    }
    return _Prepared(
        documents,
        {document_id: from_json(snapshot) for document_id, snapshot in snapshots.items()},
        {id_: (each, rows_to_write(property_entries_of(each))) for id_, each in properties.items()},
        replacements({}, values_to_index(session, _results(snapshots))),
        notes,
    )


def _check_targets(session: Session, documents: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise Conflict for a document whose parser, or the classifier that is to route it, was deleted."""
    for kind, name in ((Parser, "parser"), (Classifier, "classifier")):
        targets = {_target(row) for row in documents.values()}
        live = {
            id_
            for some in chunks(targets)
            for id_ in session.scalars(select(kind.id).where(kind.id.in_(some), kind.deleted_at.is_(None)))
        }
        for row in documents.values():
            is_of_kind = (row["parser_id"] is not None) == (kind is Parser)
            if is_of_kind and _target(row) not in live:
                raise Conflict(f"'{row['name']}' can't be restored, as its {name} was deleted")


def _taken(session: Session, documents: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the ids of documents whose external ids others have, in the catalog or among these."""
    by_target: dict[str, dict[str, list[str]]] = {}
    for document_id, row in documents.items():
        if row["external_id"] is not None:
            by_target.setdefault(_target(row), {}).setdefault(row["external_id"], []).append(document_id)
    taken: list[str] = []
    for target_id, ids in by_target.items():
        used = used_external_ids(session, target_id, ids)
        taken += [id_ for external_id, mine in ids.items() for id_ in mine[external_id not in used :]]
    return taken


def _target(row: Mapping[str, Any]) -> str:
    return str(row["parser_id"] or row["classifier_id"])


def _go_on(session: Session, ids: Sequence[str], actor: str) -> None:
    """Record it in the histories, and queue documents in review that are at no stage."""
    session.execute(update(Document).where(Document.id.in_(ids)).values(updated_at=clock.now()))
    rows = session.scalars(select(Document).where(Document.id.in_(ids)).order_by(Document.id)).all()
    record(session, Remark.RESTORED, map(Transition.of, rows), actor)
    in_work = (DocumentStage.status == "in_progress", ReviewStage.deleted_at.is_(None))
    staged = select(DocumentStage.document_id).join(ReviewStage, ReviewStage.id == DocumentStage.stage_id)
    reviewed = set(session.scalars(staged.where(DocumentStage.document_id.in_(ids), *in_work)))
    lost = [row for row in rows if row.status == Status.IN_REVIEW and row.id not in reviewed]
    if lost:
        requeue(session, lost, actor, discard_corrections=False)
