"""Exports of a parser's documents to files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentResult, Export
from docduck.errors import InputError
from docduck.exports import ExportDocument, resolve, write_plan
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.service.pipeline.pipeline_spec import load_pipeline
from docduck.statuses import Status

_STEP = 500
_PRIVATE, _READABLE = 0o600, 0o644
_EXPORTED = (Status.PROCESSED, Status.APPROVED)


@dataclass(frozen=True, slots=True)
class ExportView:
    """An export file in a folder."""

    path: Path
    file_name: str
    document_count: int
    row_count: int
    format: str
    scope: str | None


def export_to_folder(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    format: str = "json",
    scope: str | None = None,
    table_name: str | None = None,
    folder: Path | None = None,
    actor: str = "export",
) -> ExportView:
    """Write all processed and approved documents of a parser to one file.

    ``folder`` defaults to ``<home>/exports/<slug>``. The file appears complete or not at all. Raise NotFound,
    and InputError for an invalid format, scope or table.
    """
    parser = get_parser(inst, team_id, parser_ref)
    if parser.problem:
        raise InputError(parser.problem)
    plan = resolve(format, scope, table_name, parser.fields)
    folder = folder or inst.settings.exports / parser.slug
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=".export-")
    except OSError as error:
        raise InputError(f"Can't write to {folder}: {error.strerror}", "folder") from error
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as target:
            written = write_plan(target, _documents(inst, parser), plan)
            target.flush()
            os.fchmod(target.fileno(), _PRIVATE if _is_at_home(inst, folder) else _READABLE)
            os.fsync(target.fileno())
        path = _place(part, folder / plan.file_name(parser.slug, clock.now()))
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
    with inst.catalog.transaction() as session:
        session.add(
            Export(
                team_id=team_id,
                parser_id=parser.id,
                format=plan.format,
                scope=plan.scope,
                table_name=plan.table.name if plan.table else None,
                file_name=path.name,
                content_type=plan.content_type,
                location=str(path.absolute()),
                document_count=written.document_count,
                row_count=written.row_count,
                actor=actor,
            )
        )
    return ExportView(path, path.name, written.document_count, written.row_count, plan.format, plan.scope)


def check_export_folder(inst: Installation, folder: Path) -> Path:
    """Return ``folder`` if Dagster users may export to it.

    Allowed are the home's ``exports``, the folders in the settings and those of exports in the pipeline file.
    Raise InputError for others and for an invalid pipeline file.
    """
    allowed = [inst.settings.exports, *(inst.settings.export_folders or ())]
    if inst.settings.pipeline.exists():
        allowed += [one.folder for one in load_pipeline(inst.settings.pipeline).exports if one.folder]
    if not any(folder.resolve().is_relative_to(one.resolve()) for one in allowed):
        raise InputError(
            f"Exports may not be written to {folder}, only to {', '.join(map(str, allowed))} and folders in"
            " them; DOCDUCK_EXPORT_FOLDERS allows others",
            "folder",
        )
    return folder


def _is_at_home(inst: Installation, folder: Path) -> bool:
    return folder.resolve().is_relative_to(inst.settings.home.resolve())


def _documents(inst: Installation, parser: ParserView) -> Iterator[ExportDocument]:
    with inst.catalog.read_session() as session:
        ids = list(
            session.scalars(
                select(Document.id)
                .where(
                    Document.team_id == parser.team_id,
                    Document.parser_id == parser.id,
                    Document.status.in_(_EXPORTED),
                )
                .order_by(Document.created_at, Document.id)
            )
        )
        for start in range(0, len(ids), _STEP):
            yield from _some(session, ids[start : start + _STEP])


def _some(session: Session, ids: Sequence[str]) -> Iterator[ExportDocument]:
    rows = session.execute(
        select(Document, DocumentResult)
        .outerjoin(DocumentResult, DocumentResult.document_id == Document.id)
        .where(Document.id.in_(ids))
        .order_by(Document.created_at, Document.id)
    ).all()
    for document, result in rows:
        yield ExportDocument(
            id=document.id,
            name=document.name,
            external_id=document.external_id,
            status=document.status,
            created_at=document.created_at,
            updated_at=document.updated_at,
            custom=document.custom,
            data=result.values if result else {},
        )
    session.expunge_all()


def _place(part: Path, wanted: Path) -> Path:
    """Give the finished file its name, or ``name-2`` if that exists."""
    count = 1
    while True:
        path = wanted if count == 1 else wanted.with_stem(f"{wanted.stem}-{count}")
        try:
            os.link(part, path)
        except FileExistsError:
            count += 1
        except OSError:
            # A file system without hard links.
            part.replace(path)
            return path
        else:
            return path
