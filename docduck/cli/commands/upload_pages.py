"""``docduck parsers upload-page`` and ``docduck classifiers upload-page``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import typer
from pydantic.alias_generators import to_snake

from docduck.cli.connection import connected
from docduck.cli.options.shared import given
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


def add_page_command(
    app: typer.Typer, owner: Literal["parser", "classifier"], about: str, id_of: Callable[[Client, str], str]
) -> None:
    """Add ``upload-page`` to the commands of an owner; ``about`` is the help of its argument."""

    @app.command(
        "upload-page",
        help=f"Show a {owner}'s upload page and its link; with options, create or change it.",
    )
    def upload_page(
        ref: str = typer.Argument(metavar=owner.upper(), help=about),
        on: OnOption = None,
        title: TitleOption = None,
        message: MessageOption = None,
        embed: EmbedOption = None,
        files_per_hour: FilesOption = None,
        renew: RenewOption = False,
        delete: DeleteOption = False,
        json: JsonOption = False,
    ) -> None:
        origins = [] if embed == [_NO_ORIGIN] else embed or None
        changes = given(
            is_active=on, title=title, message=message, embed_origins=origins, files_per_hour=files_per_hour
        )
        if (bool(changes), renew, delete).count(True) > 1:
            raise InputError("Give either --renew, --delete, or options that change the page")
        with connected() as client:
            pages = client.upload_pages
            named: dict[str, Any] = {f"{owner}_id": id_of(client, ref)}
            if delete:
                pages.delete(**named)
                print_result({"deleted": ref}, f"Deleted the upload page of {ref}", json)
            elif renew:
                _show(pages.renew(**named), json)
            elif changes:
                _show(pages.put(**named, **{**_present(client, named), **changes}), json)
            else:
                _show(pages.get(**named), json)


def _present(client: Client, named: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of the page that there is."""
    try:
        page = client.upload_pages.get(**named)
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
