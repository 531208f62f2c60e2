"""``docduck parsers upload-page`` and ``docduck classifiers upload-page``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from docduck.cli.backends.backend import UploadPageBackend, backend
from docduck.cli.options.classifier import ClassifierArgument
from docduck.cli.options.parser import ParserArgument
from docduck.cli.output import JsonOption, print_json, print_result, say
from docduck.cli.runtime.addresses import local_address
from docduck.errors import InputError, NotFound
from docduck.service.schemas.upload_pages import UploadPageSettings
from docduck.service.sources.upload_pages import PageOwner, UploadPageView
from docduck.settings import settings

OnOption = Annotated[
    bool | None,
    typer.Option("--on/--off", help="Whether the link leads to the page.", show_default=False),
]
TitleOption = Annotated[
    str | None, typer.Option("--title", metavar="TEXT", help="The page's title.", show_default=False)
]
MessageOption = Annotated[
    str | None,
    typer.Option("--message", metavar="TEXT", help="A text below the title.", show_default=False),
]
EmbedOption = Annotated[
    list[str] | None,
    typer.Option(
        "--embed",
        metavar="ORIGIN",
        help="Origin of web pages that may embed it, such as https://www.example.org; may be repeated, "
        "'none' for none.",
        show_default=False,
    ),
]
FilesOption = Annotated[
    int | None,
    typer.Option("--files-per-hour", min=1, help="The limit of each visitor.", show_default=False),
]
RenewOption = Annotated[bool, typer.Option("--renew", help="Give it a new link; the former one ends.")]
DeleteOption = Annotated[bool, typer.Option("--delete", help="Delete the page; its link ends.")]

_NO_ORIGIN = "none"


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
    _run(PageOwner("parser", parser), changes, renew, delete, json)


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
    _run(PageOwner("classifier", classifier), changes, renew, delete, json)


def _changes(
    on: bool | None,
    title: str | None,
    message: str | None,
    embed: list[str] | None,
    files_per_hour: int | None,
) -> dict[str, Any]:
    given = {
        "is_active": on,
        "title": title,
        "message": message,
        "embed_origins": [] if embed == [_NO_ORIGIN] else embed or None,
        "files_per_hour": files_per_hour,
    }
    return {name: value for name, value in given.items() if value is not None}


def _run(owner: PageOwner, changes: dict[str, Any], renew: bool, delete: bool, json: bool) -> None:
    if (bool(changes), renew, delete).count(True) > 1:
        raise InputError("Give either --renew, --delete, or options that change the page")
    with backend() as chosen:
        pages = chosen.upload_pages
        if delete:
            pages.delete(owner)
            print_result({"deleted": owner.ref}, f"Deleted the upload page of {owner.ref}", json)
            return
        if renew:
            page = pages.renew(owner)
        elif changes:
            page = pages.put(owner, _present(pages, owner).model_copy(update=changes))
        else:
            page = pages.get(owner)
        link = pages.link(page)
    if link.startswith("/"):
        own = settings()
        link = f"{local_address(own.bind_host, own.api_port)}{link}"
    _show(page, link, json)


def _present(pages: UploadPageBackend, owner: PageOwner) -> UploadPageSettings:
    try:
        return pages.get(owner).settings
    except NotFound as error:
        if error.kind != "uploadPage":
            raise
        return UploadPageSettings.of_values({})


def _show(page: UploadPageView, link: str, json: bool) -> None:
    shown = page.settings
    if json:
        print_json({"id": page.id, "url": link, "settings": shown})
        return
    say(shown.title, "bold")
    say(link if shown.is_active else f"{link} (switched off)")
    if shown.message:
        say(f"Message: {shown.message}")
    say(f"Embedded in: {', '.join(shown.embed_origins) or 'no other pages'}")
    say(f"Files an hour from each visitor: {shown.files_per_hour}")
