"""``docduck folders``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from docduck.cli.connection import connected
from docduck.cli.lookups import checked_id, parser_id
from docduck.cli.options.json_files import read_json
from docduck.cli.options.targets import ParserArgument
from docduck.cli.output import JsonOption, print_json, print_result
from docduck.cli.tables import print_table
from docduck.client.types import Folder

app = typer.Typer(help="Folders of documents.", no_args_is_help=True, add_completion=False)

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
    if json:
        print_json(folders)
        return
    print_table(
        ["Id", "Folder", "Documents", "Rules"],
        [
            (folder["id"], folder["pathLabel"], folder["documentCount"], folder["hasAutoAssign"])
            for folder in folders
        ],
    )


@app.command()
def create(
    parser: ParserArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name.")],
    parent: Annotated[str | None, typer.Option(metavar="ID", help="The parent folder.")] = None,
    color: Color = None,
    rules: Rules = None,
    json: JsonOption = False,
) -> None:
    """Create a folder."""
    own = {} if rules is None else {"auto_assignment": read_json("--rules", rules)}
    with connected() as client:
        folder = client.folders.create(parser_id(client, parser), name, parent_id=parent, color=color, **own)
    _print(folder, json)


@app.command()
def update(
    parser: ParserArgument,
    folder_id: FolderId,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="A new name.")] = None,
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
    changes: dict[str, Any] = {}
    if name is not None:
        changes["name"] = name
    if parent is not None:
        changes["parent_id"] = None if parent == ROOT else parent
    if color is not None:
        changes["color"] = color
    if rules is not None:
        changes["auto_assignment"] = read_json("--rules", rules)
    if auto is not None:
        changes["has_auto_assign"] = auto
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


def _print(folder: Folder, json: bool) -> None:
    print_result(folder, f"{folder['id']} {folder['pathLabel']}", json)
