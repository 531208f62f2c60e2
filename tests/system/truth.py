"""What must hold of a home folder whatever happened to its processes, looked up from outside."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from typing import Any, TypeVar

from sqlalchemy import Select, select

from docduck.catalog.models import (
    BinnedDocument,
    Document,
    DocumentEvent,
    DocumentResult,
    IntakeEntry,
    StoredFile,
    WarehouseOutbox,
)
from docduck.service.core.installation import Installation
from docduck.service.documents.status_transitions import TRANSITIONS, Event, Remark
from docduck.statuses import Status
from tests.system.docduck import Docduck

Row = TypeVar("Row")
Tables = dict[tuple[str, str], list[tuple[Any, ...]]]


def tables(docduck: Docduck) -> Tables:
    """Every row of every published table, sorted, by schema and table."""
    names = docduck.query(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = current_database()"
    )
    return {
        (schema, table): docduck.query(f'FROM "{schema}"."{table}" ORDER BY ALL') for schema, table in names
    }


def rows(inst: Installation, statement: Select[Row]) -> list[Row]:
    """What the catalog holds, loaded to keep."""
    with inst.catalog.read_session() as session:
        found = list(session.scalars(statement))
        session.expunge_all()
    return found


def work_left(inst: Installation) -> dict[str, int]:
    """How much is still under way, by what it is; empty once everything has come to rest."""
    left = Counter(rows(inst, select(Document.status)))
    work = {status: left[status] for status in ("uploading", "queued", "processing")}
    work["waiting files"] = len(rows(inst, select(IntakeEntry.id).where(IntakeEntry.outcome == "waiting")))
    work["unprojected"] = len(rows(inst, select(WarehouseOutbox.document_id)))
    return {what: count for what, count in work.items() if count}


def assert_history_is_legal(inst: Installation) -> None:
    """Each document's events are a path through the states that ends where the document stands."""
    stands = {row.id: (row.status, row.attempt) for row in rows(inst, select(Document))}
    paths: dict[str, list[DocumentEvent]] = defaultdict(list)
    for event in rows(inst, select(DocumentEvent).order_by(DocumentEvent.at, DocumentEvent.id)):
        paths[event.document_id].append(event)
    assert paths.keys() == stands.keys()
    for document_id, path in paths.items():
        status: Status | None = None
        for event in path:
            assert event.from_status == status, (document_id, [e.event for e in path])
            if event.event in set(Remark):
                assert event.to_status == status
                continue
            status = TRANSITIONS[(status, Event(event.event))]
            assert event.to_status == status
        claims = sum(event.event == Event.CLAIMED for event in path)
        assert (status, claims) == stands[document_id]


def assert_files_match(inst: Installation) -> None:
    """Every file that is referred to is there, whole, and its references are counted right."""
    used = Counter(rows(inst, select(Document.sha256)))
    for column in (DocumentResult.markdown_sha256, BinnedDocument.sha256, BinnedDocument.markdown_sha256):
        used.update(one for one in rows(inst, select(column)) if one)
    assert {file.sha256: file.refs for file in rows(inst, select(StoredFile)) if file.refs} == used
    for sha256 in used:
        assert hashlib.sha256(inst.files.path(sha256).read_bytes()).hexdigest() == sha256


def assert_ledger_matches(inst: Installation, present: dict[str, bytes]) -> None:
    """The ledger knows each file that lies in the inbox (by path below it) as the document it became."""
    documents = {row.id: row for row in rows(inst, select(Document))}
    entries = {entry.item: entry for entry in rows(inst, select(IntakeEntry))}
    for item, content in present.items():
        entry = entries[item]
        assert entry.outcome in ("registered", "duplicate"), (item, entry.outcome, entry.message)
        assert entry.document_id is not None
        assert documents[entry.document_id].sha256 == hashlib.sha256(content).hexdigest()
    for item in entries.keys() - present.keys():
        assert entries[item].outcome in ("vanished", "registered", "duplicate"), item


def assert_nothing_is_held(inst: Installation) -> None:
    """No document is claimed by anyone."""
    held = Document.claimed_by.is_not(None) | Document.lease_expires_at.is_not(None)
    assert not rows(inst, select(Document.id).where(held))
