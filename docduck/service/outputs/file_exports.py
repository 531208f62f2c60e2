"""Exports of the API: to a temporary file, or to the file store for a link that expires."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Export, Parser
from docduck.errors import NotFound
from docduck.exports import ExportPlan
from docduck.exports.file_names import DEFAULT, file_name
from docduck.exports.spool import open_spool
from docduck.service.conditions.work_limits import SEARCH_SECONDS
from docduck.service.core import file_references
from docduck.service.core.installation import Installation
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.core.transactions import STEP, in_steps
from docduck.service.outputs.exporting import (
    ExportRequest,
    PreparedExport,
    WrittenExport,
    prepare,
    record_documents,
    record_export,
    write_export,
    written_once,
)
from docduck.service.outputs.selection import Selection

EXPORT_LINK_SECONDS = 24 * 3600
"""How long an export by link is kept."""
MAX_EXPORT_DOCUMENTS = 10_000
"""Of one export over the API."""


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """An open temporary file with an export, which the caller closes."""

    file: BinaryIO
    size: int
    name: str
    plan: ExportPlan
    written: WrittenExport


@dataclass(frozen=True, slots=True)
class StoredExport:
    """An export in the file store, kept until ``expires_at``."""

    id: str
    name: str
    plan: ExportPlan
    written: WrittenExport
    expires_at: dt.datetime


@dataclass(frozen=True, slots=True)
class LinkedFile:
    """A stored file that a link leads to; ``name`` is its original name."""

    path: Path
    name: str
    content_type: str
    sha256: str


def export_to_file(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    request: ExportRequest,
    actor: str = "user",
    increment: str | None = None,
) -> ExportedFile:
    """Write an export to a temporary file.

    With ``increment``, the name of an incremental export, it has only documents that this never had. Raise
    NotFound, InputError, and Conflict if the same incremental export is being written. A repeated request has
    the documents of the first one.
    """
    earlier = earlier_effect()
    if earlier is not None:
        request, increment = replace(request, selection=Selection(document_ids=earlier["documents"])), None
    prepared, file, written = _write(inst, team_id, parser_ref, request, increment)
    try:
        name = _name(prepared)
        if earlier is None:
            with written_once(increment), inst.catalog.transaction() as session:
                _record(session, prepared, written, name, actor, increment)
        size = file.seek(0, 2)
        file.seek(0)
        return ExportedFile(file, size, name, prepared.plan, written)
    except BaseException:
        file.close()
        raise


def export_to_store(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    request: ExportRequest,
    actor: str = "user",
    increment: str | None = None,
) -> StoredExport:
    """Write an export to the file store, where it is kept for a while.

    ``increment`` is as in ``export_to_file``, whose errors are raised.
    """
    if (earlier := earlier_effect()) is not None:
        return _stored_before(inst, team_id, parser_ref, request, earlier)
    prepared, file, written = _write(inst, team_id, parser_ref, request, increment)
    with file:
        file.seek(0)
        stored = inst.files.put(file)
    expires_at = clock.now() + dt.timedelta(seconds=EXPORT_LINK_SECONDS)
    name = _name(prepared)
    with written_once(increment), inst.catalog.transaction() as session:
        file_references.acquire(session, {stored.sha256: 1}, {stored.sha256: stored.size})
        values = {"sha256": stored.sha256, "expires_at": expires_at}
        row = _record(session, prepared, written, name, actor, increment, **values)
    return StoredExport(row.id, name, prepared.plan, written, expires_at)


def linked_export(inst: Installation, export_id: str) -> LinkedFile:
    """Return the file of an export by link; raise NotFound if it expired or its parser is deleted."""
    # Without a team: the signature authorises access to the export.
    with inst.catalog.read_session() as session:
        row: Any = session.execute(
            select(Export.sha256, Export.file_name, Export.content_type)
            .join(Parser, Parser.id == Export.parser_id)
            .where(
                Export.id == export_id,
                Export.sha256.is_not(None),
                Export.expires_at >= clock.now(),
                Parser.deleted_at.is_(None),
            )
        ).one_or_none()
    if row is None or not (path := inst.files.local(row.sha256)).is_file():
        raise NotFound("Export not found", "exportId", export_id)
    return LinkedFile(path, row.file_name, row.content_type, row.sha256)


def release_expired_exports(inst: Installation) -> int:
    """Release the files of expired exports by link; return how many."""

    def release_some(session: Session) -> int:
        expired = (Export.sha256.is_not(None), Export.expires_at < clock.now())
        rows = session.scalars(
            select(Export).where(*expired).limit(STEP).with_for_update(skip_locked=True)
        ).all()
        for row in rows:
            file_references.release(session, {str(row.sha256): 1})
            row.sha256 = None
        return len(rows)

    return in_steps(inst, release_some)


def _write(
    inst: Installation, team_id: str, parser_ref: str, request: ExportRequest, increment: str | None
) -> tuple[PreparedExport, BinaryIO, WrittenExport]:
    prepared = prepare(inst, team_id, parser_ref, request)
    file = open_spool()
    try:
        written = write_export(
            inst,
            file,
            prepared,
            increment=increment,
            most=MAX_EXPORT_DOCUMENTS,
            seconds=SEARCH_SECONDS,
        )
        return prepared, file, written
    except BaseException:
        file.close()
        raise


def _record(
    session: Session,
    prepared: PreparedExport,
    written: WrittenExport,
    file_name: str,
    actor: str,
    increment: str | None,
    **more: Any,
) -> Export:
    row = record_export(session, prepared, written, file_name, actor, name=increment, **more)
    if increment is not None:
        record_documents(session, prepared.parser.id, increment, written.document_ids)
        # An empty one has nothing that a repeated request must have again.
        if written.document_ids:
            record_effect(
                session,
                export=row.id,
                documents=written.document_ids,
                skipped=written.skipped,
                warnings=written.warnings,
            )
    return row


def _stored_before(
    inst: Installation, team_id: str, parser_ref: str, request: ExportRequest, effect: Mapping[str, Any]
) -> StoredExport:
    """Return the export that an earlier attempt of the request stored; raise NotFound if it expired."""
    plan = prepare(inst, team_id, parser_ref, request).plan
    with inst.catalog.read_session() as session:
        row = session.get(Export, effect["export"])
        if row is None or row.expires_at is None:
            raise NotFound("Export not found", "exportId", effect["export"])
        documents, skipped, warnings = (effect[name] for name in ("documents", "skipped", "warnings"))
        written = WrittenExport(documents, skipped, row.row_count, tuple(warnings), row.created_at)
        return StoredExport(row.id, row.file_name, plan, written, row.expires_at)


def _name(prepared: PreparedExport) -> str:
    slug, plan = prepared.parser.slug, prepared.plan
    return file_name(DEFAULT, plan.extension, clock.now(), parser=slug, export=slug, format=plan.format)
