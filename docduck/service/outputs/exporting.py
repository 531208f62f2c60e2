"""Exports of a parser's documents: the one code path of the API, jobs and the command line.

An incremental export has each document once.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

from sqlalchemy import Uuid, insert, literal, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from docduck import clock, tracing
from docduck.catalog.models import Document, DocumentResult, Export, ExportedDocument, Parser
from docduck.errors import Conflict, InputError
from docduck.exports import ExportDocument, ExportPlan, resolve, write
from docduck.ids import new_id
from docduck.service.conditions import Effort
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.pages import chunks
from docduck.service.outputs.export_layouts import plan_of
from docduck.service.outputs.selection import ALL_DONE, Selection, select_ids
from docduck.service.parsers.parsers import ParserView, find, view

_STEP = 1000
_COLUMNS = (
    Document.id,
    Document.name,
    Document.external_id,
    Document.status,
    Document.created_at,
    Document.updated_at,
    Document.custom,
    DocumentResult.values,
)


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What to export, and how.

    A ``layout``, given by name or id, has a format, scope and table of its own.
    """

    format: str | None = None
    scope: str | None = None
    table_name: str | None = None
    layout: str | None = None
    selection: Selection = ALL_DONE


@dataclass(frozen=True, slots=True)
class PreparedExport:
    """A checked request."""

    parser: ParserView
    plan: ExportPlan
    request: ExportRequest
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenExport:
    """The result of an export: the documents that it has, and those given that it can't have.

    ``began`` is when it began to be written.
    """

    document_ids: Sequence[str]
    skipped: Sequence[str]
    row_count: int
    warnings: tuple[str, ...]
    began: dt.datetime


def prepare(inst: Installation, team_id: str, parser_ref: str, request: ExportRequest) -> PreparedExport:
    """Check a request; raise NotFound, and InputError for an invalid format, scope, table or layout."""
    with inst.catalog.read_session() as session:
        row = find(session, team_id, parser_ref)
        parser = view(row)
        if parser.problem:
            raise InputError(parser.problem, code="parser_invalid")
        if request.layout is None:
            plan = resolve(request.format, request.scope, request.table_name, parser.fields)
            return PreparedExport(parser, plan, request)
        for name, value in (
            ("format", request.format),
            ("scope", request.scope),
            ("tableName", request.table_name),
        ):
            if value is not None:
                raise InputError(f"Leave out {name}: the layout has its own", name)
        plan, warnings = plan_of(session, row, request.layout)
        return PreparedExport(parser, plan, request, tuple(warnings))


def write_export(
    inst: Installation,
    target: BinaryIO,
    prepared: PreparedExport,
    *,
    increment: str | None = None,
    most: int | None = None,
    seconds: float | None = None,
) -> WrittenExport:
    """Write an export to ``target``, from one snapshot of the catalog.

    ``increment`` leaves out the documents that the incremental export of this name had before. Raise
    NotFound, and InputError for invalid filters, if there are more than ``most`` documents, or if finding
    them takes longer than ``seconds``.
    """
    effort, began = None if seconds is None else Effort(seconds), clock.now()
    with inst.catalog.read_session() as session:
        parser = find(session, prepared.parser.team_id, prepared.parser.id)
        selected = select_ids(session, parser, prepared.request.selection, increment=increment, effort=effort)
        if most is not None and len(selected.ids) > most:
            raise InputError(
                f"An export may have {most} documents, and this one would have {len(selected.ids)}; choose "
                "fewer with documentIds, externalIds or filters",
                code="export_too_large",
            )
        written = write(target, read_documents(session, parser, selected.ids), prepared.plan)
    return WrittenExport(
        selected.ids, selected.skipped, written.row_count, (*prepared.warnings, *written.warnings), began
    )


def record_export(
    session: Session,
    prepared: PreparedExport,
    written: WrittenExport,
    file_name: str,
    actor: str,
    **more: Any,
) -> Export:
    """Record an export that was written, also in the audit log; ``more`` are columns of its row."""
    parser, plan, selection = prepared.parser, prepared.plan, prepared.request.selection
    row = Export(
        id=new_id(),
        team_id=parser.team_id,
        parser_id=parser.id,
        format=plan.format,
        scope=plan.scope,
        table_name=plan.table.name if plan.table else None,
        selection={
            "documentIds": len(selection.document_ids or ()),
            "externalIds": len(selection.external_ids or ()),
            "filters": list(selection.filters or ()),
            "layout": prepared.request.layout,
        },
        file_name=file_name,
        content_type=plan.content_type,
        document_count=len(written.document_ids),
        row_count=written.row_count,
        actor=actor,
        **more,
    )
    session.add(row)
    details = {"format": plan.format, "scope": plan.scope, "documents": row.document_count, "file": file_name}
    audit.record(session, parser.team_id, actor, "parser.exported", "parser", [(parser.id, details)])
    # Whole exports have the same documents again and again.
    for document_id in written.document_ids if row.name is not None else ():
        tracing.record(
            "export",
            document_id,
            written.began,
            session=session,
            team_id=parser.team_id,
            parser=parser.slug,
            format=plan.format,
        )
    return row


def read_documents(
    session: Session, parser: Parser, ids: Sequence[str], step: int = _STEP
) -> Iterator[ExportDocument]:
    """Yield documents by id, oldest first; ``ids`` are in this order. ``step`` are read at a time."""
    statement = (
        select(*_COLUMNS)
        .outerjoin(DocumentResult, DocumentResult.document_id == Document.id)
        .order_by(Document.created_at, Document.id)
    )
    mine = Document.team_id == parser.team_id, Document.parser_id == parser.id
    for some in chunks(ids, step):
        for *facts, values in session.execute(statement.where(*mine, Document.id.in_(some))):
            id_, name, external_id, status, created_at, updated_at, custom = facts
            yield ExportDocument(id_, name, external_id, status, created_at, updated_at, custom, values or {})


def record_documents(session: Session, parser_id: str, name: str, ids: Sequence[str]) -> None:
    """Record that an incremental export has these documents, without those that were deleted meanwhile."""
    known = select(literal(parser_id, Uuid(as_uuid=False)), literal(name), Document.id)
    columns = ["parser_id", "name", "document_id"]
    for some in chunks(ids):
        these = known.where(Document.id.in_(some))
        session.execute(insert(ExportedDocument).from_select(columns, these))


@contextmanager
def written_once(name: str | None) -> Iterator[None]:
    """Raise Conflict if the block records documents that another export of this name has just had."""
    try:
        yield
    except IntegrityError as error:
        if name is None:
            raise
        raise Conflict(
            f"The incremental export '{name}' is being written already", code="export_in_progress"
        ) from error
