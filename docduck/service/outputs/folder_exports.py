"""Exports to folders, whole or only what is new.

A file appears complete or not at all. An incremental export has each document once: its complete file, the
documents in it and its place are recorded in one transaction, and only then the file gets its name. If the
process dies in between, the next export of that name does so first.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sqlalchemy import select, update

from docduck import clock
from docduck.catalog.models import Export
from docduck.errors import Conflict, InputError
from docduck.exports.file_names import DEFAULT, check_pattern, file_name, is_dated, place
from docduck.files.writing import flush_folder
from docduck.service.core.installation import Installation
from docduck.service.outputs.bucket_exports import is_in_bucket, outgoing_folder, upload_files
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
from docduck.service.outputs.selection import ALL_DONE, Selection
from docduck.service.pipeline.export_specs import ExportSpec
from docduck.service.pipeline.pipeline_spec import load_pipeline

WHOLE = ExportRequest()
"""All processed and approved documents as nested JSON."""

_PRIVATE, _READABLE = 0o600, 0o644
_PART = ".export-"
_ABANDONED_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class ExportView:
    """An export file; ``path`` is None if there was nothing new to export, or it is in a bucket.

    ``uri`` is where it is.
    """

    path: Path | None
    file_name: str | None
    document_count: int
    row_count: int
    format: str
    scope: str | None
    skipped: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    uri: str | None = None


def export_to_folder(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    request: ExportRequest = WHOLE,
    *,
    folder: Path | None = None,
    file: str | None = None,
    name: str | None = None,
    increment: str | None = None,
    actor: str = "export",
    bucket: str | None = None,
) -> ExportView:
    """Write the documents that ``request`` selects to one file.

    ``folder`` defaults to ``<home>/exports/<slug>``. ``file`` is a pattern of names such as
    ``{parser}-{date}``, in which ``name`` is the export's; a name that exists gets a number, also in the
    ``bucket`` that the folder's files go to, but a file without date and time is replaced. With
    ``increment``, the name of an incremental export, only documents that it never had are written, and no
    file if there are none. Raise NotFound, InputError, and Conflict if the same incremental export is being
    written.
    """
    pattern = check_pattern(file or DEFAULT)
    if increment is not None:
        check_increment(pattern)
    prepared = prepare(inst, team_id, parser_ref, request)
    parser, plan = prepared.parser, prepared.plan
    folder = folder or inst.settings.exports / parser.slug
    is_taken = partial(is_in_bucket, inst, bucket)
    if increment is not None:
        _place_left_over(inst, parser.id, increment, is_taken)
    with _part(inst, folder) as part:
        with part.open("wb") as target:
            written = write_export(inst, target, prepared, increment=increment)
            target.flush()
            os.fsync(target.fileno())
        if increment is not None and not written.document_ids:
            return _view(prepared, written, None)
        called = file_name(
            pattern,
            plan.extension,
            clock.now(),
            parser=parser.slug,
            export=name or increment or parser.slug,
            format=plan.format,
        )
        if increment is None:
            path = folder / called
            path = place(part, path, is_taken) if is_dated(pattern) else part.replace(path)
            with inst.catalog.transaction() as session:
                location = str(path.absolute())
                record_export(session, prepared, written, path.name, actor, location=location)
        else:
            row = _record_increment(inst, prepared, written, part, folder / called, increment, actor)
            path = _place_recorded(inst, row, is_taken)
    return _view(prepared, written, path)


def check_increment(pattern: str) -> None:
    """Raise InputError unless files of an incremental export can have names of this pattern."""
    if not is_dated(pattern):
        raise InputError("The file of an incremental export needs {date} or {time} in its name", "file")


def export_by_spec(
    inst: Installation, team_id: str, parser_ref: str, spec: ExportSpec, actor: str = "export"
) -> ExportView:
    """Write an export of the pipeline file.

    Raise the errors of ``export_to_folder``, and Transient if its bucket can't be written to.
    """
    write = partial(
        export_to_folder,
        inst,
        team_id,
        parser_ref,
        request_of(spec),
        file=spec.file,
        name=spec.name,
        increment=spec.name if spec.only_new else None,
        actor=actor,
    )
    if spec.bucket is None:
        return write(folder=spec.folder)
    with outgoing_folder(inst, spec.name) as folder:
        view = write(folder=folder, bucket=spec.bucket)
        urls = upload_files(inst, folder, spec.endpoint_of(spec.bucket))
    return replace(view, path=None, uri=urls.get(view.path.name) if view.path else None)


def request_of(spec: ExportSpec) -> ExportRequest:
    """Return what an export of the pipeline file asks for."""
    selection = Selection(filters=spec.filters) if spec.filters else ALL_DONE
    return ExportRequest(spec.format, spec.scope, spec.table, spec.layout, selection)


def check_export_folder(inst: Installation, folder: Path) -> Path:
    """Return ``folder`` if Dagster users may export to it.

    Allowed are the home's ``exports``, the folders in the settings and those of exports in the pipeline file.
    Raise InputError for others and for an invalid pipeline file.
    """
    allowed = [inst.settings.exports, *(inst.settings.export_folders or ())]
    if inst.settings.pipeline.exists():
        allowed += [
            export.folder for export in load_pipeline(inst.settings.pipeline).exports if export.folder
        ]
    if not any(folder.resolve().is_relative_to(path.resolve()) for path in allowed):
        raise InputError(
            f"Exports may not be written to {folder}, only to {', '.join(map(str, allowed))} and folders in"
            " them; DOCDUCK_EXPORT_FOLDERS allows others",
            "folder",
        )
    return folder


def _view(prepared: PreparedExport, written: WrittenExport, path: Path | None) -> ExportView:
    return ExportView(
        path,
        path.name if path else None,
        len(written.document_ids),
        written.row_count,
        prepared.plan.format,
        prepared.plan.scope,
        tuple(written.skipped),
        written.warnings,
        path.absolute().as_uri() if path else None,
    )


@contextmanager
def _part(inst: Installation, folder: Path) -> Iterator[Path]:
    """Yield a temporary file in ``folder``; it is removed at the end unless it was renamed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(inst, folder)
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=_PART)
    except OSError as error:
        raise InputError(f"Can't write to {folder}: {error.strerror}", "folder") from error
    at_home = folder.resolve().is_relative_to(inst.settings.home.resolve())
    os.fchmod(descriptor, _PRIVATE if at_home else _READABLE)
    os.close(descriptor)
    part = Path(name).absolute()
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def _remove_abandoned(inst: Installation, folder: Path) -> None:
    """Remove the files of processes that were killed while they wrote them."""
    before = time.time() - _ABANDONED_SECONDS
    with inst.catalog.read_session() as session:
        recorded = set(session.scalars(select(Export.part).where(Export.part.is_not(None))))
    for part in folder.absolute().glob(f"{_PART}*"):
        if str(part) not in recorded:
            with suppress(OSError):
                if part.stat().st_mtime < before:
                    part.unlink()


def _record_increment(
    inst: Installation,
    prepared: PreparedExport,
    written: WrittenExport,
    part: Path,
    path: Path,
    name: str,
    actor: str,
) -> Export:
    """Record the documents of an incremental export, whose file is yet to be given its name."""
    complete = part.rename(part.with_name(f"{part.name}-new"))
    flush_folder(complete.parent)
    try:
        with written_once(name), inst.catalog.transaction(durable=True) as session:
            record_documents(session, prepared.parser.id, name, written.document_ids)
            places = {"part": str(complete), "location": str(path.absolute())}
            return record_export(session, prepared, written, path.name, actor, name=name, **places)
    except Conflict:
        complete.unlink()
        raise


def _place_left_over(inst: Installation, parser_id: str, name: str, is_taken: Callable[[str], bool]) -> None:
    """Give the files of an incremental export their names whose process died before it did so."""
    with inst.catalog.read_session() as session:
        left = list(
            session.scalars(
                select(Export)
                .where(Export.parser_id == parser_id, Export.name == name, Export.part.is_not(None))
                .order_by(Export.created_at, Export.id)
            )
        )
        session.expunge_all()
    for row in left:
        # Without its folder, which may be away for a moment, the file stays recorded.
        if Path(str(row.part)).parent.is_dir():
            _place_recorded(inst, row, is_taken)


def _place_recorded(inst: Installation, row: Export, is_taken: Callable[[str], bool]) -> Path:
    """Give the file of a recorded export its name, unless it has it."""
    part, path = Path(str(row.part)), Path(str(row.location))
    if part.exists():
        path = place(part, path, is_taken)
        part.unlink(missing_ok=True)
        flush_folder(path.parent)
    with inst.catalog.transaction() as session:
        placed = {"part": None, "location": str(path), "file_name": path.name}
        session.execute(update(Export).where(Export.id == row.id).values(placed))
    return path
