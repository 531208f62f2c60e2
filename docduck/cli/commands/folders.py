"""``docduck folders``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from docduck.cli.options.json_files import read_json
from docduck.cli.options.parser import ParserArgument
from docduck.cli.output import JsonOption, installation, print_json, print_result
from docduck.cli.tables import print_table
from docduck.service.folders import (
    ROOT,
    FolderView,
    create_folder,
    delete_folder,
    list_folders,
    update_folder,
)

app = typer.Typer(help="Folders of documents.", no_args_is_help=True, add_completion=False)

FolderId = Annotated[str, typer.Argument(metavar="ID", help="The folder's id.")]
Color = Annotated[
    str | None, typer.Option(metavar="COLOR", help="Its colour, for example '#1f77b4'.", show_default=False)
]
Rules = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="JSON file with the rules of automatic assignment: match, rules, instructions.",
        show_default=False,
    ),
]


@app.command("list")
def list_(
    parser: ParserArgument,
    q: Annotated[
        str | None,
        typer.Option("--query", "-q", metavar="TEXT", help="Part of the name.", show_default=False),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List a parser's folders, with the number of documents in and below each."""
    with installation() as inst:
        found = list_folders(inst, inst.team_id, parser, q=q)
    if json:
        print_json([_as_json(one) for one in found])
        return
    print_table(
        ["Id", "Folder", "Documents", "Rules"],
        [(one.id, one.path_label, one.document_count, one.has_auto_assign) for one in found],
    )


@app.command()
def create(
    parser: ParserArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name.")],
    parent: Annotated[
        str | None, typer.Option(metavar="ID", help="The parent folder.", show_default=False)
    ] = None,
    color: Color = None,
    rules: Rules = None,
    json: JsonOption = False,
) -> None:
    """Create a folder."""
    new: dict[str, Any] = {"name": name, "parent_id": parent, "color": color}
    if rules is not None:
        new["auto_assignment"] = read_json("--rules", rules)
    with installation() as inst:
        _print(create_folder(inst, inst.team_id, parser, new, "cli"), json)


@app.command()
def update(
    parser: ParserArgument,
    folder_id: FolderId,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="A new name.", show_default=False)] = None,
    parent: Annotated[
        str | None,
        typer.Option(metavar="ID", help=f"The parent folder, or '{ROOT}'.", show_default=False),
    ] = None,
    color: Color = None,
    rules: Rules = None,
    auto: Annotated[
        bool | None,
        typer.Option("--auto/--no-auto", help="Whether its rules are on.", show_default=False),
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
    with installation() as inst:
        _print(update_folder(inst, inst.team_id, parser, folder_id, changes, "cli"), json)


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
    with installation() as inst:
        gone = delete_folder(inst, inst.team_id, parser, folder_id, with_documents=documents, actor="cli")
    text = (
        f"{gone.folders} folders deleted, {gone.moved_documents} documents moved out, "
        f"{gone.deleted_documents} deleted"
    )
    print_result(gone, text, json)


def _print(folder: FolderView, json: bool) -> None:
    print_result(_as_json(folder), f"{folder.id} {folder.path_label}", json)


def _as_json(folder: FolderView) -> dict[str, Any]:
    from docduck.api.schemas.folders import FolderResponse

    return FolderResponse.of(folder).model_dump(mode="json", by_alias=True)
