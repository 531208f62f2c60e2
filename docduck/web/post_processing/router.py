"""The post-processing of a parser: its steps, its lookup tables, and a try-out on a document."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.request.file_uploads import receive
from docduck.api.request.lanes import Evaluations
from docduck.api.request.multipart import Form as Upload
from docduck.api.route import require
from docduck.errors import Conflict, Forbidden, InputError, NotFound, TooLarge
from docduck.service.parsers.lookup_tables import (
    MAX_LOOKUP_TABLE_BYTES,
    LookupTableView,
    delete_lookup_table,
    put_lookup_table,
)
from docduck.service.parsers.parsers import get_parser
from docduck.service.parsers.post_processing import get_post_processing, set_post_processing
from docduck.service.previews.try_out import try_post_processing
from docduck.web.page_route import PageRoute
from docduck.web.post_processing.step_form import parsed_step, typed_step
from docduck.web.post_processing.steps_page import SHOWN, StepsPage
from docduck.web.visit import (
    FORM_TOKEN,
    CurrentMember,
    CurrentUser,
    UserForm,
    check_form_token,
    check_own_site,
    form_value,
)

router = APIRouter(
    prefix="/parsers/{parser_ref}/post-processing", include_in_schema=False, route_class=PageRoute
)

_CHANGED = "Somebody else has changed the steps meanwhile. Load the page again to see them"


async def _steps_page(parser_ref: str, inst: Inst, signed_in: CurrentUser, user: CurrentMember) -> StepsPage:
    """Return the page of a user who may change parsers; raise Forbidden."""
    require(user, "parsers:write")
    return StepsPage(inst, signed_in, user, parser_ref)


Page = Annotated[StepsPage, Depends(_steps_page)]


@router.get("")
def show(at: Page, done: str = "") -> Response:
    """Return the page."""
    return at.shown(done=done)


@router.post("")
def add(at: Page, form: UserForm) -> Response:
    """Add a step after the others."""
    parser = get_parser(at.inst, at.user.team_id, at.parser_ref)
    raw = typed_step(form)
    steps = get_post_processing(at.inst, at.user.team_id, parser.id)
    try:
        set_post_processing(at.inst, at.user.team_id, parser.id, [*steps, parsed_step(raw)], at.user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return at.shown(error=error, typed=(0, raw))
    return _back(parser.slug, "saved")


@router.post("/try")
async def try_out(at: Page, form: UserForm, lane: Evaluations) -> Response:
    """Show what the steps do to a document."""
    document_id, team_id = form_value(form, "document"), at.user.team_id
    require(at.user, "documents:read")
    await run_in_threadpool(get_parser, at.inst, team_id, at.parser_ref)
    try:
        if not document_id:
            raise InputError("Choose a document")
        tried = await lane.run(
            team_id, lambda: try_post_processing(at.inst, team_id, at.parser_ref, document_id)
        )
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        failed = error
        return await run_in_threadpool(lambda: at.shown(error=failed, document_id=document_id))
    return await run_in_threadpool(lambda: at.shown(tried=tried, document_id=document_id))


@router.post("/lookup-tables")
async def put_table(request: Request, at: Page) -> Response:
    """Store a lookup table; one of the same name is replaced."""
    check_own_site(request, at.inst.settings)
    parser = await run_in_threadpool(get_parser, at.inst, at.user.team_id, at.parser_ref)

    def prepare(form: Upload) -> Callable[[], LookupTableView]:
        check_form_token(at.signed_in, form.fields.get(FORM_TOKEN, ""))
        name = form.fields.get("name", "").strip()
        files = [file for file in form.files if file.name or file.stored.size]
        if len(files) != 1:
            raise InputError("Choose exactly one file")
        stored = files[0].stored
        if stored.size > MAX_LOOKUP_TABLE_BYTES:
            raise TooLarge("File too large")

        def put() -> LookupTableView:
            data = at.inst.files.read_bytes(stored.sha256)
            return put_lookup_table(at.inst, at.user.team_id, parser.id, name, data, at.user.actor)

        return put

    try:
        await receive(request, at.inst, prepare, (FORM_TOKEN, "name"))
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        failed = error
        return await run_in_threadpool(lambda: at.shown(error=failed))
    return _back(parser.slug, "table-saved")


@router.post("/lookup-tables/{table}/delete")
def delete_table(table: str, at: Page, form: UserForm) -> Response:
    """Delete a lookup table that no step uses."""
    parser = get_parser(at.inst, at.user.team_id, at.parser_ref)
    try:
        delete_lookup_table(at.inst, at.user.team_id, parser.id, table, at.user.actor)
    except Conflict as error:
        return at.shown(error=error)
    return _back(parser.slug, "table-deleted")


@router.post("/{number}")
def change(number: int, at: Page, form: UserForm) -> Response:
    """Change, move or delete the step of that number, from 1."""
    parser = get_parser(at.inst, at.user.team_id, at.parser_ref)
    steps: list[Any] = get_post_processing(at.inst, at.user.team_id, parser.id)
    if _shown(form) != steps:
        return at.shown(error=Conflict(_CHANGED))
    if not 1 <= number <= len(steps):
        raise InputError("This step is gone. Load the page again")
    place, raw = number - 1, None
    match form_value(form, "action"):
        case "save":
            raw = typed_step(form)
            steps[place] = parsed_step(raw, steps[place])
        case "delete":
            del steps[place]
        case "up" | "down" as direction:
            steps.insert(max(0, place + (1 if direction == "down" else -1)), steps.pop(place))
        case _:
            raise InputError("Choose what to do with the step")
    try:
        set_post_processing(at.inst, at.user.team_id, parser.id, steps, at.user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return at.shown(error=error, typed=(number, raw) if raw else None)
    return _back(parser.slug, "saved")


def _shown(form: UserForm) -> Any:
    try:
        return json.loads(form_value(form, SHOWN))
    except ValueError as error:
        raise InputError("The form can't be read. Load the page again") from error


def _back(slug: str, done: str) -> Response:
    return RedirectResponse(f"/parsers/{slug}/post-processing?done={done}", 303)
