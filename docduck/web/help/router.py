"""The pages of help: the index with the search, each README, and its pictures."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from starlette.responses import FileResponse, Response

from docduck.api.response.file_headers import UNTRUSTED
from docduck.errors import NotFound
from docduck.web.help.pages import FOLDERS, GROUPS
from docduck.web.help.rendering import HelpPage, help_page
from docduck.web.help.search import search
from docduck.web.page import page
from docduck.web.page_route import PageRouter
from docduck.web.visit import CurrentUser

router = PageRouter("/help")


@router.get("")
def show_index(
    signed_in: CurrentUser, words: Annotated[str, Query(alias="q", max_length=200)] = ""
) -> Response:
    """Return the index of all pages, or the sections that have some words."""
    return page(
        "help/index.html.j2",
        signed_in,
        words=words,
        hits=search(words),
        groups={title: [help_page(name) for name in names] for title, names in GROUPS.items()},
    )


@router.get("/{name}")
def show_help(name: str, signed_in: CurrentUser) -> Response:
    """Return a README as a page."""
    readme = _find(name)
    titles = {title: [help_page(folder) for folder in names] for title, names in GROUPS.items()}
    return page("help/page.html.j2", signed_in, readme=readme, groups=titles)


@router.get("/{name}/{picture}")
def show_picture(name: str, picture: str, signed_in: CurrentUser) -> Response:
    """Return a picture that a page shows."""
    path = _find(name).pictures.get(picture)
    if path is None:
        raise NotFound(f"There is no picture {picture}", "picture", picture)
    return FileResponse(path, headers=UNTRUSTED)


def _find(name: str) -> HelpPage:
    if name not in FOLDERS:
        raise NotFound(f"There is no help about {name}", "page", name)
    return help_page(name)
