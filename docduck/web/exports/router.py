"""The exports of a parser: a preview, the file, and saved layouts."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.request.lanes import Exports
from docduck.api.response.export_file import export_response
from docduck.api.route import require
from docduck.errors import Forbidden, InputError, NotFound
from docduck.exports.model import Format, Scope
from docduck.fields import FieldType
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.outputs.export_layouts import (
    create_layout,
    delete_layout,
    get_layout,
    list_layouts,
    update_layout,
)
from docduck.service.outputs.export_preview import ExportPreview, preview_export
from docduck.service.outputs.file_exports import export_to_file
from docduck.service.parsers.parsers import get_parser
from docduck.service.requests.idempotency import MAX_RESPONSE_BYTES
from docduck.web.exports.export_forms import choices, layout_of, request_of, typed
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.rest_bodies import error_at_top
from docduck.web.visit import CurrentMember, CurrentUser, Form, UserForm, form_value

router = APIRouter(prefix="/parsers/{parser_ref}/exports", include_in_schema=False, route_class=PageRoute)

_WANTED = ("layout", "format", "scope", "table", "filters")


@router.get("")
def show(parser_ref: str, inst: Inst, signed_in: CurrentUser, user: CurrentMember) -> Response:
    """Return the form for an export, and the layouts."""
    require(user, "exports:read")
    return _page(inst, signed_in, user, parser_ref, {})


@router.post("")
async def export(
    parser_ref: str, form: UserForm, inst: Inst, signed_in: CurrentUser, user: CurrentMember, lane: Exports
) -> Response:
    """Return the file, or the page with the beginning of what it would hold."""
    require(user, "exports:read")
    shown = partial(_page, inst, signed_in, user, parser_ref, form)
    try:
        request = request_of(form)
        if form_value(form, "action") == "preview":
            work = partial(preview_export, inst, user.team_id, parser_ref, request)
            return await run_in_threadpool(shown, await lane.run(user.team_id, work))
        write = partial(export_to_file, inst, user.team_id, parser_ref, request, user.actor)
        file = await lane.run(user.team_id, write)
    except NotFound:
        raise
    except InputError as error:
        return await run_in_threadpool(shown, error=error)
    return export_response(file, MAX_RESPONSE_BYTES)


@router.get("/layouts/{layout_id}")
def layout(
    parser_ref: str, layout_id: str, inst: Inst, signed_in: CurrentUser, user: CurrentMember
) -> Response:
    """Return the form of a layout; of a new one if its id is ``new``."""
    require(user, "parsers:write")
    return _layout_page(inst, signed_in, user, parser_ref, layout_id)


@router.post("/layouts/{layout_id}")
def save_layout(
    parser_ref: str, layout_id: str, form: UserForm, inst: Inst, signed_in: CurrentUser, user: CurrentMember
) -> Response:
    """Create, change or delete a layout."""
    require(user, "parsers:write")
    team_id = user.team_id
    parser = get_parser(inst, team_id, parser_ref)
    try:
        if form_value(form, "action") == "delete":
            delete_layout(inst, team_id, parser.id, layout_id, user.actor)
        elif layout_id == "new":
            create_layout(inst, team_id, parser.id, layout_of(form), user.actor)
        else:
            update_layout(inst, team_id, parser.id, layout_id, layout_of(form), user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return _layout_page(inst, signed_in, user, parser_ref, layout_id, form, error)
    return RedirectResponse(f"/parsers/{parser.slug}/exports", 303)


def _page(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    parser_ref: str,
    form: Form,
    preview: ExportPreview | None = None,
    error: InputError | None = None,
) -> Response:
    parser = get_parser(inst, user.team_id, parser_ref)
    return page(
        "exports/exports.html.j2",
        signed_in,
        parser=parser,
        tab="exports",
        error=error and error_at_top(error),
        wanted={name: form_value(form, name) for name in _WANTED},
        layouts=list_layouts(inst, user.team_id, parser.id),
        formats=list(Format),
        scopes=list(Scope),
        tables=[field.name for field in parser.fields if field.type is FieldType.TABLE],
        preview=preview,
        may_write="parsers:write" in user.permissions,
    )


def _layout_page(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    parser_ref: str,
    layout_id: str,
    form: Form | None = None,
    error: InputError | None = None,
) -> Response:
    parser = get_parser(inst, user.team_id, parser_ref)
    saved = None if layout_id == "new" else get_layout(inst, user.team_id, parser.id, layout_id)
    wanted = {
        "name": saved.name if saved else "",
        "format": saved.format if saved else Format.XLSX,
        "scope": (saved.scope or "") if saved else "",
        "table": (saved.table_name or "") if saved else "",
    }
    if form is not None:
        wanted = {name: form_value(form, name) for name in wanted}
    return page(
        "exports/layout.html.j2",
        signed_in,
        parser=parser,
        tab="exports",
        error=error and error_at_top(error),
        layout_id=layout_id,
        saved=saved,
        wanted=wanted,
        columns=choices(parser.fields, saved) if form is None else typed(form),
        formats=list(Format),
        scopes=list(Scope),
        tables=[field.name for field in parser.fields if field.type is FieldType.TABLE],
    )
