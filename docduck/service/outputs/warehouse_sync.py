"""Synchronisation of the warehouse with the catalog: pending changes, or a complete rebuild."""

from __future__ import annotations

import dataclasses
import math
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, bindparam, case, delete, func, select, true
from sqlalchemy.orm import Session

from docduck import clock, tracing
from docduck.catalog.models import Document, DocumentResult, Parser, WarehouseOutbox
from docduck.fields import Field, FieldType
from docduck.service.core.folder_tree import load_tree
from docduck.service.core.installation import Installation
from docduck.service.core.warehouse_outbox import enqueue_processed
from docduck.service.documents.queries.duplicates import first_duplicates, later_duplicates
from docduck.service.documents.values import evidence_of_rows, table_rows
from docduck.service.outputs.table_versions import store_versions, table_versions
from docduck.service.parsers.parsers import ParserView, every_parser, view
from docduck.statuses import Status
from docduck.warehouse.rows import (
    DocumentRow,
    EvidenceRow,
    FieldColumns,
    ParserChanges,
    ParserSchema,
    WriteResult,
)

PARSERS_AT_ONCE, DOCUMENTS_AT_ONCE = 20, 1000
"""What is written in one transaction, at most."""
_NOWHERE: dict[str, Any] = {}
_COLUMNS = (
    Document.id.label("document_id"),
    Document.name,
    Document.external_id,
    Document.status,
    Document.source,
    Document.folder_id,
    Document.page_count,
    Document.created_at,
    Document.processed_at,
    Document.approved_at,
    Document.confidence,
    DocumentResult.values,
    DocumentResult.evidence,
)


@dataclass(frozen=True, slots=True)
class SyncResult:
    """What was synchronised: documents written or removed, by id of their parser, and rows of their tables.

    A parser whose tables have other columns now counts no documents. ``is_all`` is False if time ran out.
    """

    by_parser: Mapping[str, int] = dataclasses.field(default_factory=dict)
    rows: int = 0
    warnings: tuple[str, ...] = ()
    is_all: bool = True

    @property
    def documents(self) -> int:
        return sum(self.by_parser.values())


def sync_warehouse(
    inst: Installation, parser_ids: Sequence[str] | None = None, *, seconds: float | None = None
) -> SyncResult:
    """Write pending changes of ``parser_ids`` or of all parsers. Safe to repeat and to interrupt.

    A warehouse that is new, or was lost, gets the rows of all documents. Parsers with changed documents come
    first; none is started after ``seconds``. Raise Transient if another process holds the warehouse for too
    long.
    """
    documents: Counter[str] = Counter()
    rows = 0
    warnings: list[str] = []
    if inst.warehouse.is_new():
        with inst.catalog.transaction() as session:
            enqueue_processed(session, true())
    until = math.inf if seconds is None else time.monotonic() + seconds
    pending = _pending_parsers(inst, parser_ids)
    while pending:
        if time.monotonic() >= until:
            return SyncResult(documents, rows, tuple(warnings), is_all=False)
        with inst.warehouse.exclusive():
            results, pending = _sync_batch(inst, pending)
        for parser_id, applied in results.items():
            documents[parser_id] += applied.documents + applied.deleted
            rows += applied.rows
            warnings += [str(misfit) for misfit in applied.warnings]
    return SyncResult(documents, rows, tuple(warnings))


def rebuild(inst: Installation, on_progress: Callable[[int, int], None] | None = None) -> int:
    """Rebuild the warehouse from the catalog; return how many documents it holds.

    ``on_progress`` is called with (documents done, documents in all).
    """
    done = 0
    with inst.catalog.read_session() as session:
        total = session.scalar(select(func.count()).select_from(Document).where(_shown())) or 0

    def batches(parser: ParserView) -> Iterator[list[DocumentRow]]:
        nonlocal done
        for batch in _all_documents(inst, parser):
            yield batch
            done += len(batch)
            if on_progress:
                on_progress(done, total)

    with inst.warehouse.exclusive():
        as_of = clock.now()
        with inst.catalog.transaction() as session:
            entries = session.scalars(select(WarehouseOutbox))
            revisions = {(entry.document_id, entry.parser_id, entry.revision) for entry in entries}
        parsers = every_parser(inst)
        broken = {parser.id for parser in parsers if parser.problem is not None}
        with inst.catalog.transaction() as session:
            # They lose their rows, and get them again once they are repaired.
            enqueue_processed(session, Document.parser_id.in_(broken))
        usable = [parser for parser in parsers if parser.id not in broken]
        written = inst.warehouse.rebuild([(schema_of(parser), batches(parser)) for parser in usable])
        known = table_versions(inst)
        changed = [p.id for p in usable if p.id in known or written[p.slug].documents]
        with inst.catalog.transaction() as session:
            _forget(session, {entry for entry in revisions if entry[1] not in broken})
            store_versions(session, changed, as_of)
    return done


def differing_tables(inst: Installation) -> dict[str, tuple[int, int]]:
    """Return the parsers whose table of documents does not have the rows that it should have.

    For each id, return how many documents there are in the catalog, and how many in the table. Parsers with
    pending changes are left out. Raise Transient if another process holds the warehouse for too long.
    """
    with inst.warehouse.exclusive():
        rows = inst.warehouse.counts(published=False)
        parsers = [parser for parser in every_parser(inst) if parser.problem is None]
        counting = select(Document.parser_id, func.count()).where(_shown()).group_by(Document.parser_id)
        with inst.catalog.read_session() as session:
            documents = {str(parser_id): count for parser_id, count in session.execute(counting)}
        # Last: what changed before it was counted is pending still, as this process holds the warehouse.
        pending = {*_pending_parsers(inst, None)}
    counts = {
        parser.id: (documents.get(parser.id, 0), rows.get(parser.slug, {}).get("documents", 0))
        for parser in parsers
        if parser.id not in pending
    }
    return {parser_id: pair for parser_id, pair in counts.items() if pair[0] != pair[1]}


def rebuild_tables(inst: Installation, parsers: Sequence[ParserView]) -> None:
    """Rebuild the tables of these parsers from the catalog; raise Transient as ``sync_warehouse`` does."""
    for parser in parsers:
        with inst.warehouse.exclusive():
            as_of = clock.now()
            inst.warehouse.replace(schema_of(parser), _all_documents(inst, parser))
            with inst.catalog.transaction() as session:
                store_versions(session, [parser.id], as_of)


def publish(inst: Installation, force: bool = False, at_rest: bool = False) -> bool:
    """Publish a copy for analysts if one is due; return whether it was.

    ``at_rest`` means that no more rows are expected soon, so that there is no reason to wait.
    """
    return inst.warehouse.publish(force=force, at_rest=at_rest) is not None


def schema_of(parser: ParserView) -> ParserSchema:
    """Return the tables of a parser's fields."""

    def spec(field: Field) -> FieldColumns:
        return FieldColumns(
            id=str(field.id),
            name=field.name,
            column=parser.columns[str(field.id)],
            type=field.type,
            description=field.description,
            columns=tuple(spec(column) for column in field.columns),
        )

    fields = tuple(spec(field) for field in parser.fields)
    return ParserSchema(parser.slug, parser.description, fields, parser.id)


def _pending_parsers(inst: Installation, parser_ids: Sequence[str] | None) -> list[str]:
    with inst.catalog.read_session() as session:
        has_documents = func.max(case((WarehouseOutbox.document_id != WarehouseOutbox.parser_id, 1), else_=0))
        statement = (
            select(WarehouseOutbox.parser_id)
            .group_by(WarehouseOutbox.parser_id)
            .order_by(has_documents.desc())
        )
        if parser_ids is not None:
            statement = statement.where(WarehouseOutbox.parser_id.in_(parser_ids))
        return list(session.scalars(statement))


@dataclass(frozen=True, slots=True)
class _Pending:
    """Entries of a parser, which is None if it was deleted, with the documents that have rows."""

    parser: ParserView | None
    revisions: frozenset[tuple[str, str, int]]
    documents: Sequence[DocumentRow]

    def changes(self, schema: ParserSchema) -> ParserChanges:
        written = {document.document_id for document in self.documents}
        gone = {document_id for document_id, parser_id, _ in self.revisions if document_id != parser_id}
        return ParserChanges(schema, self.documents, gone - written)


def _sync_batch(inst: Installation, parser_ids: Sequence[str]) -> tuple[dict[str, WriteResult], list[str]]:
    """Write a batch of entries in one transaction; return the changes by parser, and the parsers that may
    have more entries.
    """
    batch: list[_Pending] = []
    left, room = deque(parser_ids), DOCUMENTS_AT_ONCE
    as_of = clock.now()
    with inst.catalog.read_session() as session:
        while left and room and len(batch) < PARSERS_AT_ONCE:
            pending = _pending(inst, session, left[0], room)
            room -= len(pending.revisions)
            if pending.revisions:
                batch.append(pending)
            if room:
                left.popleft()
    if any(pending.parser is None for pending in batch):
        _drop_dead_schemas(inst)
    began = clock.now()
    parsers = [(pending.parser, pending) for pending in batch if pending.parser is not None]
    applied = inst.warehouse.apply_all([pending.changes(schema_of(parser)) for parser, pending in parsers])
    results: dict[str, WriteResult] = {}
    for (parser, pending), result in zip(parsers, applied, strict=True):
        if result.needs_rebuild:
            replaced = inst.warehouse.replace(schema_of(parser), _all_documents(inst, parser))
            result = dataclasses.replace(replaced, is_migrated=True)
        if result.has_changed:
            results[parser.id] = result
        for document in pending.documents:
            tracing.record(
                "table",
                document.document_id,
                began,
                team_id=parser.team_id,
                parser=parser.slug,
                status=document.status,
            )
    with inst.catalog.transaction() as session:
        _forget(session, {entry for pending in batch for entry in pending.revisions})
        store_versions(session, results, as_of)
    return results, [*left]


def _pending(inst: Installation, session: Session, parser_id: str, most: int) -> _Pending:
    entries = session.execute(
        select(WarehouseOutbox.document_id, WarehouseOutbox.revision)
        .where(WarehouseOutbox.parser_id == parser_id)
        .order_by(WarehouseOutbox.at, WarehouseOutbox.document_id)
        .limit(most)
    ).all()
    row = session.get(Parser, parser_id)
    parser = view(row) if row is not None and row.deleted_at is None else None
    if parser is not None and parser.problem is not None:
        # They stay pending until the parser is repaired.
        entries = []
    revisions = frozenset((document_id, parser_id, revision) for document_id, revision in entries)
    ids = [document_id for document_id, _ in entries if document_id != parser_id]
    documents = _documents(session, parser, ids) if parser and ids else []
    if parser and ids:
        documents += _documents(session, parser, _concerned(inst, session, parser, ids, documents))
    return _Pending(parser, revisions, documents)


def _concerned(
    inst: Installation,
    session: Session,
    parser: ParserView,
    ids: Sequence[str],
    documents: Sequence[DocumentRow],
) -> list[str]:
    """Return the documents that are, or were, duplicates of these, which have changed or are gone."""
    concerned = later_duplicates(session, parser, {row.document_id: row.values for row in documents})
    written = {row.document_id for row in documents}
    if parser.settings.get("duplicateKeys") or not written.issuperset(ids):
        concerned.update(inst.warehouse.duplicates_of(parser.slug, ids))
    return sorted(concerned - written)


def _drop_dead_schemas(inst: Installation) -> None:
    with inst.catalog.read_session() as session:
        live = set(session.scalars(select(Parser.slug).where(Parser.deleted_at.is_(None))))
    for schema in inst.warehouse.counts(published=False):
        if schema not in live:
            inst.warehouse.drop(schema)


def _forget(session: Session, revisions: Collection[tuple[str, str, int]]) -> None:
    if not revisions:
        return
    table = WarehouseOutbox.__table__
    session.connection().execute(
        delete(WarehouseOutbox).where(
            table.c.document_id == bindparam("document"),
            table.c.parser_id == bindparam("parser"),
            table.c.revision == bindparam("seen"),
        ),
        [
            {"document": document_id, "parser": parser_id, "seen": revision}
            for document_id, parser_id, revision in sorted(revisions)
        ],
    )


def _shown() -> Any:
    """Return the condition that a document has rows: it was processed, and is not skipped."""
    return and_(Document.processed_at.is_not(None), Document.status != Status.SKIPPED)


def _all_documents(inst: Installation, parser: ParserView) -> Iterator[list[DocumentRow]]:
    last = ""
    while True:
        with inst.catalog.read_session() as session:
            statement = select(Document.id).where(Document.parser_id == parser.id, _shown())
            if last:
                statement = statement.where(Document.id > last)
            ids = list(session.scalars(statement.order_by(Document.id).limit(DOCUMENTS_AT_ONCE)))
            if not ids:
                return
            batch = _documents(session, parser, ids)
        yield batch
        last = ids[-1]


def _documents(session: Session, parser: ParserView, ids: Sequence[str]) -> list[DocumentRow]:
    # A document that could not be read again has a result still if people set values in it.
    has_result = and_(DocumentResult.document_id == Document.id, Document.status != Status.FAILED)
    rows = session.execute(
        select(*_COLUMNS)
        .outerjoin(DocumentResult, has_result)
        .where(Document.id.in_(ids), Document.parser_id == parser.id, _shown())
        .order_by(Document.id)
    )
    labels: dict[str, str] | None = None
    tables = {str(field.id) for field in parser.fields if field.type is FieldType.TABLE}
    documents = []
    facts_of = [row._asdict() for row in rows]
    read = {facts["document_id"]: facts["values"] or {} for facts in facts_of}
    repeated = first_duplicates(session, parser, read) if read else {}
    for facts in facts_of:
        values, evidence = facts.pop("values") or {}, facts.pop("evidence") or {}
        folder_id = facts.pop("folder_id")
        if folder_id is not None and labels is None:
            labels = _folder_labels(session, parser.id)
        documents.append(
            DocumentRow(
                **facts,
                folder=labels.get(folder_id) if labels else None,
                duplicate_of=repeated.get(facts["document_id"]),
                values={key: value for key, value in values.items() if key not in tables},
                tables={key: value for key, value in values.items() if key in tables and value},
                evidence=_evidence(parser, values, evidence),
            )
        )
    return documents


def _folder_labels(session: Session, parser_id: str) -> dict[str, str]:
    tree = load_tree(session, parser_id)
    return {folder.id: tree.label(folder.id) for folder in tree.folders}


def _evidence(
    parser: ParserView, values: Mapping[str, Any], evidence: Mapping[str, Any]
) -> list[EvidenceRow]:
    """Return the evidence of values; missing and cleared values have none."""
    evidence_rows: list[EvidenceRow] = []
    for field in parser.fields:
        field_id = str(field.id)
        entry = evidence.get(field_id)
        if field.type is FieldType.TABLE:
            # The field had another type when the document was processed, so its evidence has another shape.
            rows_there = table_rows(values.get(field_id))
            rows = zip(rows_there, evidence_of_rows(rows_there, entry), strict=False)
            columns = [str(column.id) for column in field.columns]
            for number, (row, cells) in enumerate(rows, start=1):
                for column_id in columns:
                    if (cell := cells.get(column_id)) and row.get(column_id) is not None:
                        evidence_rows += _places(cell, field_id, column_id, number)
        elif isinstance(entry, dict) and values.get(field_id) not in (None, []):
            evidence_rows += _places(entry, field_id, None, None)
    return evidence_rows


def _places(
    entry: dict[str, Any], field_id: str, column_id: str | None, number: int | None
) -> list[EvidenceRow]:
    confidence, raw = entry.get("confidence"), entry.get("rawText")
    rows = []
    for place in entry.get("locations") or ({"page": entry.get("page")},):
        box = place.get("bbox") or _NOWHERE
        rows.append(
            # Positional for speed: there are dozens per document.
            EvidenceRow(
                field_id,
                column_id,
                number,
                place.get("page"),
                box.get("left"),
                box.get("top"),
                box.get("width"),
                box.get("height"),
                confidence,
                place.get("text") or raw,
            )
        )
    return rows
