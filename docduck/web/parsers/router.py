"""The list of parsers, and new ones: from a template, from a sample, or empty."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from docduck import templates
from docduck.api.request.current_caller import Inst
from docduck.api.request.file_uploads import receive
from docduck.api.request.multipart import Form as Upload
from docduck.api.route import require
from docduck.errors import InputError
from docduck.service.accounts.caller import TeamUser
from docduck.service.core.installation import Installation
from docduck.service.parsers.parser_listing import find_parsers
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.uploads.file_uploads import UploadedFile, UploadTarget, check_type, register_upload
from docduck.web.page import last_page, page, page_link
from docduck.web.page_route import PageRoute
from docduck.web.visit import (
    FORM_TOKEN,
    CurrentMember,
    CurrentUser,
    check_form_token,
    check_own_site,
)

router = APIRouter(prefix="/parsers", include_in_schema=False, route_class=PageRoute)

_LIMIT = 100


@router.get("")
def list_(
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    number: Annotated[int, Query(alias="page", ge=1, le=1_000_000)] = 1,
) -> Response:
    """Return the team's parsers."""
    require(user, "parsers:read")
    listed = find_parsers(inst, user.team_id, sort="name.asc", page=number, limit=_LIMIT)
    return page(
        "parsers/list.html.j2",
        signed_in,
        rows=listed.rows,
        number=number,
        last=last_page(listed),
        link=partial(page_link, "/parsers"),
        may_write="parsers:write" in user.permissions,
    )


@router.get("/new")
def new(signed_in: CurrentUser, user: CurrentMember) -> Response:
    """Return the form for a new parser."""
    require(user, "parsers:write")
    return page("parsers/new.html.j2", signed_in, templates=list(map(templates.load, templates.keys())))


@router.post("/new")
async def create(request: Request, inst: Inst, signed_in: CurrentUser, user: CurrentMember) -> Response:
    """Create a parser; with a sample, go on to what was found on it."""
    require(user, "parsers:write")
    check_own_site(request, inst.settings)

    def prepare(form: Upload) -> Callable[[], str]:
        check_form_token(signed_in, form.fields.get(FORM_TOKEN, ""))
        samples = [file for file in form.files if file.name or file.stored.size]
        new_parser = NewParser(
            name=form.fields.get("name", "").strip() or None,
            template_key=form.fields.get("template") or None,
        )
        if new_parser.name is None and new_parser.template_key is None:
            raise InputError("A parser needs a name")
        for sample in samples:
            check_type(sample, _accepted(new_parser.template_key))
        return lambda: _create(inst, user, new_parser, samples)

    path = await receive(request, inst, prepare, (FORM_TOKEN, "name", "template"))
    return RedirectResponse(path, 303)


def _accepted(template_key: str | None) -> Sequence[str]:
    """Return the file types that a new parser accepts; empty if it accepts all."""
    settings = templates.load(template_key).settings if template_key else {}
    accepted: Sequence[str] = settings.get("acceptedFileTypes", ())
    return accepted


def _create(inst: Installation, user: TeamUser, new: NewParser, samples: list[UploadedFile]) -> str:
    parser = create_parser(inst, user.team_id, new, user.actor, place="")
    if not samples:
        return f"/parsers/{parser.slug}/fields"
    target = UploadTarget(parser.id, len(samples), source="upload")
    queued = register_upload(inst, user.team_id, target, samples, user.actor)
    if new.template_key is not None:
        return page_link("/documents", parser=parser.slug)
    return page_link(f"/parsers/{parser.slug}/suggestions", document=queued[0].id)
