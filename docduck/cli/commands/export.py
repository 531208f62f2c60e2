"""``docduck export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docduck.cli.options.parser import ParserArgument
from docduck.cli.output import JsonOption, installation, print_result
from docduck.exports.model import Format, Scope
from docduck.service.outputs.exporting import export_to_folder


def export(
    parser: ParserArgument,
    format: Annotated[
        Format, typer.Option("--format", "-f", case_sensitive=False, help="The file's format.")
    ] = Format.JSON,
    scope: Annotated[
        Scope | None,
        typer.Option(case_sensitive=False, help="The rows and columns.", show_default="by format"),
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help="One table; implies --scope table.", show_default=False)
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(help="The file's folder.", show_default="<home>/exports/<parser>")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Write a parser's processed documents to a file."""
    if table is not None and scope is None:
        scope = Scope.TABLE
    with installation() as inst:
        made = export_to_folder(inst, inst.team_id, parser, format, scope, table, folder, actor="cli")
    print_result(made, f"{made.path}: {made.document_count} documents, {made.row_count} rows", json)
