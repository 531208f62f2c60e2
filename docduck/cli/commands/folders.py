"""``docduck folders``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from docduck.cli.connection import connected
from docduck.cli.lookups import checked_id, parser_id
from docduck.cli.options.json_files import read_json
from docduck.cli.options.shared import NameArgument, NewNameOption, ParserArgument, command_group, given
from docduck.cli.output import JsonOption, print_result
from docduck.cli.tables import print_rows
from docduck.client.types import Folder

app = command_group("Folders of documents.")

ROOT = "root"
"""In place of a parent folder: none."""

FolderId = Annotated[str, typer.Argument(metavar="ID", help="The folder's id.")]
Color = Annotated[str | None, typer.Option(metavar="COLOR", help="Its colour, for example '#1f77b4'.")]
Rules = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="JSON file with the rules of automatic assignment: match, rules, instructions."
    ),
]


@app.command("list")
def list_(
    parser: ParserArgument,
    q: Annotated[
        str | None,
        typer.Option("--query", "-q", metavar="TEXT", help="Part of the name."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List a parser's folders, with the number of documents in and below each."""
    with connected() as client:
        folders = client.folders.list(parser_id(client, parser), q=q)
    columns = {"Id": "id", "Folder": "pathLabel", "Documents": "documentCount", "Rules": "hasAutoAssign"}
    print_rows(folders, columns, json)


@app.command()
def create(
    parser: ParserArgument,
    name: NameArgument,
    parent: Annotated[str | None, typer.Option(metavar="ID", help="The parent folder.")] = None,
    color: Color = None,
    rules: Rules = None,
    json: JsonOption = False,
) -> None:
    """Create a folder."""
    own = _rules(rules)
    with connected() as client:
        folder = client.folders.create(parser_id(client, parser), name, parent_id=parent, color=color, **own)
    _print(folder, json)


@app.command()
def update(
    parser: ParserArgument,
    folder_id: FolderId,
    name: NewNameOption = None,
    parent: Annotated[
        str | None,
        typer.Option(metavar="ID", help=f"The parent folder, or '{ROOT}'."),
    ] = None,
    color: Color = None,
    rules: Rules = None,
    auto: Annotated[
        bool | None,
        typer.Option("--auto/--no-auto", help="Whether its rules are on."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Rename, colour or move a folder, or change its rules."""
    changes = given(name=name, parent_id=parent, color=color, has_auto_assign=auto) | _rules(rules)
    if parent == ROOT:
        changes["parent_id"] = None
    with connected() as client:
        folder = client.folders.update(
            parser_id(client, parser), checked_id("folderId", folder_id), **changes
        )
    _print(folder, json)


@app.command()
def delete(
    parser: ParserArgument,
    folder_id: FolderId,
    documents: Annotated[
        bool, typer.Option("--documents", help="Delete the documents in it and below it, too.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Delete a folder and those below it; their documents stay, in no folder."""
    with connected() as client:
        deleted = client.folders.delete(
            parser_id(client, parser), checked_id("folderId", folder_id), delete_documents=documents
        )
    text = (
        f"{deleted['deletedFolders']} folders deleted, {deleted['movedDocuments']} documents moved out, "
        f"{deleted['deletedDocuments']} deleted"
    )
    print_result(deleted, text, json)


def _rules(path: Path | None) -> dict[str, Any]:
    return {} if path is None else {"auto_assignment": read_json("--rules", path)}


def _print(folder: Folder, json: bool) -> None:
    print_result(folder, f"{folder['id']} {folder['pathLabel']}", json)
