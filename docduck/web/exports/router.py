"""The exports of a parser: a preview, the file, and saved layouts."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from docduck.api.request.lanes import Exports
from docduck.api.response.export_file import export_response
from docduck.errors import InputError
from docduck.exports.model import Format
from docduck.fields import FieldType
from docduck.service.outputs.export_layouts import (
    create_layout,
    delete_layout,
    get_layout,
    list_layouts,
    update_layout,
)
from docduck.service.outputs.export_preview import ExportPreview, preview_export
from docduck.service.outputs.file_exports import export_to_file
from docduck.service.requests.idempotency import MAX_RESPONSE_BYTES
from docduck.web.controls import SHOWN, check_unchanged
from docduck.web.exports.export_forms import choices, layout_of, request_of, typed
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import error_at_top, shown_on
from docduck.web.visit import Form, UserForm, form_value

router = PageRouter("/parsers/{parser_ref}/exports")

_WANTED = ("layout", "format", "scope", "table", "filters")

Reader = Annotated[ParserVisit, of_parser("exports:read")]
Writer = Annotated[ParserVisit, of_parser("parsers:write")]


@router.get("")
def show(at: Reader) -> Response:
    """Return the form for an export, and the layouts."""
    return _page(at, {})


@router.post("")
async def export(form: UserForm, at: Reader, lane: Exports) -> Response:
    """Return the file, or the page with the beginning of what it would hold."""
    with shown_on(partial(_page, at, form)):
        request = request_of(form)
        if form_value(form, "action") == "preview":
            preview = await lane.run(at.user.team_id, partial(preview_export, *at.of_parser, request))
            return await run_in_threadpool(_page, at, form, preview=preview)
        write = partial(export_to_file, *at.of_parser, request, at.user.actor)
        file = await lane.run(at.user.team_id, write)
    return export_response(file, MAX_RESPONSE_BYTES)


@router.get("/layouts/{layout_id}")
def layout(layout_id: str, at: Writer) -> Response:
    """Return the form of a layout; of a new one if its id is ``new``."""
    return _layout_page(at, layout_id)


@router.post("/layouts/{layout_id}")
def save_layout(layout_id: str, form: UserForm, at: Writer) -> Response:
    """Create, change or delete a layout."""
    with shown_on(partial(_layout_page, at, layout_id, form)):
        if form_value(form, "action") == "delete":
            delete_layout(*at.of_parser, layout_id, at.user.actor)
        elif layout_id == "new":
            create_layout(*at.of_parser, layout_of(form), at.user.actor)
        else:
            present = get_layout(*at.of_parser, layout_id).as_json()
            check_unchanged(form, present, "settings of the layout")
            update_layout(*at.of_parser, layout_id, layout_of(form), at.user.actor)
    return at.back("exports")


def _page(
    at: ParserVisit, form: Form, error: InputError | None = None, preview: ExportPreview | None = None
) -> Response:
    return at.page(
        "exports/exports.html.j2",
        error=error_at_top(error),
        values={name: form_value(form, name) for name in _WANTED},
        layouts=list_layouts(*at.of_parser),
        preview=preview,
        may_write=at.may("parsers:write"),
        **_shapes(at),
    )


def _layout_page(
    at: ParserVisit, layout_id: str, form: Form | None = None, error: InputError | None = None
) -> Response:
    saved = None if layout_id == "new" else get_layout(*at.of_parser, layout_id)
    values = {
        "name": saved.name if saved else "",
        "format": saved.format if saved else Format.XLSX,
        "scope": (saved.scope or "") if saved else "",
        "table": (saved.table_name or "") if saved else "",
    }
    if form is not None:
        values = {name: form_value(form, name) for name in values}
    return at.page(
        "exports/layout.html.j2",
        error=error_at_top(error),
        layout_id=layout_id,
        saved=saved,
        values=values,
        before=form_value(form, SHOWN) if form else json.dumps(saved.as_json() if saved else {}),
        columns=choices(at.parser.fields, saved) if form is None else typed(form),
        **_shapes(at),
    )


def _shapes(at: ParserVisit) -> dict[str, object]:
    """Return what a form offers for the shape of an export."""
    tables = [field.name for field in at.parser.fields if field.type is FieldType.TABLE]
    return {"formats": list(Format), "tables": tables}
