"""The list of parsers, and new ones: from a template, from a sample, or empty."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

from fastapi import Request
from starlette.responses import Response

from docduck import templates
from docduck.api.request.multipart import Form as Upload
from docduck.errors import InputError
from docduck.service.parsers.parser_listing import find_parsers
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.uploads.file_uploads import UploadedFile, UploadTarget, check_type, register_upload
from docduck.web.member import Visit, of_member
from docduck.web.page import PageNumber, page_link, see_other
from docduck.web.page_route import PageRouter

router = PageRouter("/parsers")

_LIMIT = 100

Writer = Annotated[Visit, of_member("parsers:write")]


@router.get("")
def list_(at: Annotated[Visit, of_member("parsers:read")], number: PageNumber = 1) -> Response:
    """Return the team's parsers."""
    return at.page(
        "parsers/list.html.j2",
        listed=find_parsers(*at.team, sort="name.asc", page=number, limit=_LIMIT),
        link=partial(page_link, "/parsers"),
        may_write=at.may("parsers:write"),
    )


@router.get("/new")
def new(at: Writer) -> Response:
    """Return the form for a new parser."""
    return at.page("parsers/new.html.j2", templates=list(map(templates.load, templates.keys())))


@router.post("/new")
async def create(request: Request, at: Writer) -> Response:
    """Create a parser; with a sample, go on to what was found on it."""

    def prepare(form: Upload) -> Callable[[], str]:
        new_parser = NewParser(
            name=form.fields.get("name", "").strip() or None,
            template_key=form.fields.get("template") or None,
        )
        if new_parser.name is None and new_parser.template_key is None:
            raise InputError("A parser needs a name")
        for sample in form.files:
            check_type(sample, _accepted(new_parser.template_key))
        return lambda: _create(at, new_parser, form.files)

    return see_other(await at.receive(request, prepare, "name", "template"))


def _accepted(template_key: str | None) -> Sequence[str]:
    """Return the file types that a new parser accepts; empty if it accepts all."""
    settings = templates.load(template_key).settings if template_key else {}
    accepted: Sequence[str] = settings.get("acceptedFileTypes", ())
    return accepted


def _create(at: Visit, new: NewParser, samples: list[UploadedFile]) -> str:
    parser = create_parser(*at.team, new, at.user.actor, place="")
    if not samples:
        return f"/parsers/{parser.slug}/fields"
    target = UploadTarget(parser.id, len(samples), source="upload")
    queued = register_upload(*at.team, target, samples, at.user.actor)
    if new.template_key is not None:
        return page_link("/documents", parser=parser.slug)
    return page_link(f"/parsers/{parser.slug}/suggestions", document=queued[0].id)
