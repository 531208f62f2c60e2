"""``docduck export``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from docduck import clock
from docduck.cli.commands.layouts import ScopeOption, TableOption, find_layout
from docduck.cli.connection import opened
from docduck.cli.lookups import ids_below, parser_id
from docduck.cli.options.shared import ParserArgument
from docduck.cli.output import JsonOption, print_result, say
from docduck.client import Client
from docduck.errors import InputError
from docduck.exports import resolve
from docduck.exports.file_names import DEFAULT, check_pattern, file_name, is_dated, place
from docduck.exports.model import Format, Scope
from docduck.service.conditions.filters import typed_filter
from docduck.service.outputs.exporting import ExportRequest
from docduck.service.outputs.folder_exports import ExportView, check_increment, export_to_folder
from docduck.service.outputs.selection import Selection

FilterOption = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        metavar="'FIELD OPERATOR VALUE'",
        help="Only documents like 'Total >= 100', 'Name contains acme' or 'Number exists'. Repeatable.",
    ),
]


def export(
    parser: ParserArgument,
    format: Annotated[
        Format | None,
        typer.Option("--format", "-f", case_sensitive=False, help="The file's format.", show_default="json"),
    ] = None,
    scope: ScopeOption = None,
    table: TableOption = None,
    layout: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A saved layout (docduck layouts)."),
    ] = None,
    ids: Annotated[
        list[str] | None,
        typer.Option("--id", metavar="ID", help="This document. Repeatable."),
    ] = None,
    external_ids: Annotated[
        list[str] | None,
        typer.Option("--external-id", metavar="ID", help="By external id. Repeatable."),
    ] = None,
    filters: FilterOption = None,
    within: Annotated[
        str | None,
        typer.Option(
            "--in",
            metavar="FOLDER",
            help="Only documents in this folder and below it: a path such as 'Bills / 2026', or its id.",
        ),
    ] = None,
    only_new: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only documents that no export with this name had before."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            help="The file's folder.", show_default="<home>/exports/<parser>; with a server, the current one"
        ),
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            metavar="PATTERN",
            help="The file's name without extension, with {parser}, {export}, {format}, {date} and {time}.",
            show_default="{parser}-{date}-{time}",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Write a parser's documents to a file: the processed and approved ones, or those that are chosen."""
    if table is not None and scope is None:
        scope = Scope.TABLE
    chosen_filters = _read_filters(filters)
    with opened() as (client, inst):
        if within is not None:
            inside = ids_below(client.folders.list(parser_id(client, parser)), within)
            in_folder = {"field": "$folderId", "operator": "in", "value": inside}
            chosen_filters = [*(chosen_filters or ()), in_folder]
        selection = Selection(ids or None, external_ids or None, chosen_filters)
        request = ExportRequest(format, scope, table, layout, selection)
        if inst is None:
            written = _download(client, parser, request, folder or Path(), file, only_new)
        else:
            # With a record of the file's place, which makes incremental exports complete after a crash.
            written = export_to_folder(
                inst,
                inst.team_id,
                parser,
                request,
                folder=folder,
                file=file,
                increment=only_new,
                actor="cli",
            )
    print_result(written, _text(written), json)
    if not json:
        if written.skipped:
            say(f"Skipped, without values or rejected: {', '.join(written.skipped)}", "yellow")
        for warning in written.warnings:
            say(warning, "yellow")


def _download(
    client: Client, ref: str, request: ExportRequest, folder: Path, file: str | None, only_new: str | None
) -> ExportView:
    """Write an export of a server to a file here."""
    pattern = check_pattern(file or DEFAULT)
    if only_new is not None:
        check_increment(pattern)
    parser = client.parsers.get(parser_id(client, ref))
    layout = None if request.layout is None else find_layout(client, parser["id"], request.layout)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = TemporaryDirectory(dir=folder, prefix=".export-")
    except OSError as error:
        raise InputError(f"Can't write to {folder}: {error.strerror}", "folder") from error
    shape = (layout["format"], layout["scope"]) if layout else (request.format, request.scope)
    format_, scope = Format(shape[0] or Format.JSON), shape[1]
    with part:
        written = client.exports.create(
            parser["id"],
            format=request.format,
            scope=request.scope,
            table_name=request.table_name,
            layout_id=layout["id"] if layout else None,
            document_ids=request.selection.document_ids,
            external_ids=request.selection.external_ids,
            filters=request.selection.filters,
            only_new=only_new,
            to=Path(part.name, "export"),
        )
        saved, path = Path(part.name, "export"), None
        if only_new is None or written.document_count:
            called = file_name(
                pattern,
                Path(written.file_name).suffix.removeprefix("."),
                clock.now(),
                parser=parser["slug"],
                export=only_new or parser["slug"],
                format=format_,
            )
            path = place(saved, folder / called) if is_dated(pattern) else saved.replace(folder / called)
    return ExportView(
        path.absolute() if path else None,
        path.name if path else None,
        written.document_count,
        written.row_count,
        format_,
        scope or resolve(format_, None, None, ()).scope,
        tuple(written.skipped),
        tuple(written.warnings),
        path.absolute().as_uri() if path else None,
    )


def _text(made: ExportView) -> str:
    if made.path is None:
        return "Nothing new"
    return f"{made.path}: {made.document_count} documents, {made.row_count} rows"


def _read_filters(texts: Sequence[str] | None) -> list[dict[str, Any]] | None:
    """Return the filters in the API's shape; raise InputError."""
    try:
        return [typed_filter(text) for text in texts] if texts else None
    except InputError as error:
        raise InputError(f"--filter {error.message}") from error
