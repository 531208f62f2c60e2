"""``docduck export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docduck.cli.output import JsonOption, console, installation, print_json
from docduck.service.exporting import export_to_folder


def export(
    parser: Annotated[str, typer.Argument(help="Slug, name or id of the parser.")],
    format: Annotated[str, typer.Option("--format", "-f", help="json, xml, csv or xlsx.")] = "json",
    scope: Annotated[
        str | None,
        typer.Option(help="fields_only, all_flat, table or all_sheets; by format when not given."),
    ] = None,
    table: Annotated[str | None, typer.Option(help="The table, for --scope table.")] = None,
    folder: Annotated[
        Path | None, typer.Option(help="Where the file goes; <home>/exports/<parser> when not given.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Write a parser's processed documents to a file."""
    with installation() as inst:
        made = export_to_folder(inst, inst.team_id, parser, format, scope, table, folder, actor="cli")
    if json:
        print_json(made)
    else:
        console.print(f"{made.path}: {made.document_count} documents, {made.row_count} rows", markup=False)
