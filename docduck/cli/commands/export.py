"""``docduck export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docduck.cli.backends.backend import backend
from docduck.cli.options.filters import FilterOption, read_filters
from docduck.cli.options.folder import ids_below
from docduck.cli.options.parser import ParserArgument
from docduck.cli.output import JsonOption, print_result, say
from docduck.exports.model import Format, Scope
from docduck.service.outputs.exporting import ExportRequest
from docduck.service.outputs.folder_exports import ExportView
from docduck.service.outputs.selection import Selection


def export(
    parser: ParserArgument,
    format: Annotated[
        Format | None,
        typer.Option("--format", "-f", case_sensitive=False, help="The file's format.", show_default="json"),
    ] = None,
    scope: Annotated[
        Scope | None,
        typer.Option(case_sensitive=False, help="The rows and columns.", show_default="by format"),
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help="One table; implies --scope table.", show_default=False)
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A saved layout (docduck layouts).", show_default=False),
    ] = None,
    ids: Annotated[
        list[str] | None,
        typer.Option("--id", metavar="ID", help="This document. Repeatable.", show_default=False),
    ] = None,
    external_ids: Annotated[
        list[str] | None,
        typer.Option("--external-id", metavar="ID", help="By external id. Repeatable.", show_default=False),
    ] = None,
    filters: FilterOption = None,
    within: Annotated[
        str | None,
        typer.Option(
            "--in",
            metavar="FOLDER",
            help="Only documents in this folder and below it: a path such as 'Bills / 2026', or its id.",
            show_default=False,
        ),
    ] = None,
    only_new: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Only documents that no export with this name had before.",
            show_default=False,
        ),
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
    chosen_filters = read_filters(filters)
    with backend() as chosen:
        if within is not None:
            inside = ids_below(chosen.folders(parser), within)
            in_folder = {"field": "$folderId", "operator": "in", "value": inside}
            chosen_filters = [*(chosen_filters or ()), in_folder]
        selection = Selection(ids or None, external_ids or None, chosen_filters)
        request = ExportRequest(format, scope, table, layout, selection)
        made = chosen.exports.write(parser, request, folder, file, only_new)
    print_result(made, _text(made), json)
    if not json:
        if made.skipped:
            say(f"Skipped, without values or rejected: {', '.join(made.skipped)}", "yellow")
        for warning in made.warnings:
            say(warning, "yellow")


def _text(made: ExportView) -> str:
    if made.path is None:
        return "Nothing new"
    return f"{made.path}: {made.document_count} documents, {made.row_count} rows"
