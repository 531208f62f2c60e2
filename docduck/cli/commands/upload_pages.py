"""``docduck parsers upload-page`` and ``docduck classifiers upload-page``."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from pydantic.alias_generators import to_snake

from docduck.cli.connection import connected
from docduck.cli.lookups import classifier_id, parser_id
from docduck.cli.options.targets import ClassifierArgument, ParserArgument
from docduck.cli.output import JsonOption, print_json, print_result, say
from docduck.client import Client, NotFound
from docduck.client.types import UploadPage
from docduck.errors import InputError

OnOption = Annotated[
    bool | None,
    typer.Option("--on/--off", help="Whether the link leads to the page."),
]
TitleOption = Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The page's title.")]
MessageOption = Annotated[
    str | None,
    typer.Option("--message", metavar="TEXT", help="A text below the title."),
]
EmbedOption = Annotated[
    list[str] | None,
    typer.Option(
        "--embed",
        metavar="ORIGIN",
        help="Origin of web pages that may embed it, such as https://www.example.org; may be repeated, "
        "'none' for none.",
    ),
]
FilesOption = Annotated[
    int | None,
    typer.Option("--files-per-hour", min=1, help="The limit of each visitor."),
]
RenewOption = Annotated[bool, typer.Option("--renew", help="Give it a new link; the former one ends.")]
DeleteOption = Annotated[bool, typer.Option("--delete", help="Delete the page; its link ends.")]

_NO_ORIGIN = "none"
_SETTINGS = ("is_active", "title", "message", "embed_origins", "files_per_hour")


def parser_page(
    parser: ParserArgument,
    on: OnOption = None,
    title: TitleOption = None,
    message: MessageOption = None,
    embed: EmbedOption = None,
    files_per_hour: FilesOption = None,
    renew: RenewOption = False,
    delete: DeleteOption = False,
    json: JsonOption = False,
) -> None:
    """Show a parser's upload page and its link; with options, create or change it."""
    changes = _changes(on, title, message, embed, files_per_hour)
    _check_one(changes, renew, delete)
    with connected() as client:
        _run(client, parser, {"parser_id": parser_id(client, parser)}, changes, renew, delete, json)


def classifier_page(
    classifier: ClassifierArgument,
    on: OnOption = None,
    title: TitleOption = None,
    message: MessageOption = None,
    embed: EmbedOption = None,
    files_per_hour: FilesOption = None,
    renew: RenewOption = False,
    delete: DeleteOption = False,
    json: JsonOption = False,
) -> None:
    """Show a classifier's upload page and its link; with options, create or change it."""
    changes = _changes(on, title, message, embed, files_per_hour)
    _check_one(changes, renew, delete)
    with connected() as client:
        owner = {"classifier_id": classifier_id(client, classifier)}
        _run(client, classifier, owner, changes, renew, delete, json)


def _changes(
    on: bool | None,
    title: str | None,
    message: str | None,
    embed: list[str] | None,
    files_per_hour: int | None,
) -> dict[str, Any]:
    settings = {
        "is_active": on,
        "title": title,
        "message": message,
        "embed_origins": [] if embed == [_NO_ORIGIN] else embed or None,
        "files_per_hour": files_per_hour,
    }
    return {name: value for name, value in settings.items() if value is not None}


def _check_one(changes: dict[str, Any], renew: bool, delete: bool) -> None:
    if (bool(changes), renew, delete).count(True) > 1:
        raise InputError("Give either --renew, --delete, or options that change the page")


def _run(
    client: Client,
    ref: str,
    owner: dict[str, Any],
    changes: dict[str, Any],
    renew: bool,
    delete: bool,
    json: bool,
) -> None:
    pages = client.upload_pages
    if delete:
        pages.delete(**owner)
        print_result({"deleted": ref}, f"Deleted the upload page of {ref}", json)
        return
    if renew:
        page = pages.renew(**owner)
    elif changes:
        page = pages.put(**owner, **{**_present(client, owner), **changes})
    else:
        page = pages.get(**owner)
    _show(page, json)


def _present(client: Client, owner: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of the page that there is."""
    try:
        page = client.upload_pages.get(**owner)
    except NotFound as error:
        if "uploadPage" not in [thing["type"] for thing in error.not_found]:
            raise
        return {}
    return {name: value for key, value in page.items() if (name := to_snake(key)) in _SETTINGS}


def _show(page: UploadPage, json: bool) -> None:
    if json:
        print_json(page)
        return
    say(page["title"], "bold")
    say(page["url"] if page["isActive"] else f"{page['url']} (switched off)")
    if page["message"]:
        say(f"Message: {page['message']}")
    say(f"Embedded in: {', '.join(page['embedOrigins']) or 'no other pages'}")
    say(f"Files an hour from each visitor: {page['filesPerHour']}")
