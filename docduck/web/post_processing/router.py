"""The post-processing of a parser: its steps, its lookup tables, and a try-out on a document."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from docduck.api.request.lanes import Evaluations
from docduck.api.request.multipart import Form as Upload
from docduck.api.route import require
from docduck.errors import InputError, TooLarge
from docduck.extraction.post_processing.transforms import DECIMAL_SEPARATORS, GROUP_SEPARATORS
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.lookup_tables import (
    MAX_LOOKUP_TABLE_BYTES,
    LookupTableView,
    delete_lookup_table,
    list_lookup_tables,
    put_lookup_table,
)
from docduck.service.parsers.post_processing import get_post_processing, set_post_processing
from docduck.service.previews.try_out import TryOut, try_post_processing
from docduck.statuses import HAS_VALUES
from docduck.web.controls import check_unchanged
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page_route import PageRouter
from docduck.web.post_processing.step_form import (
    NEW_LOOKUP,
    NEW_TRANSFORM,
    RawStep,
    parsed_step,
    raw_step,
    targets,
    typed_step,
)
from docduck.web.rest_bodies import error_at_top, shown_on
from docduck.web.visit import UserForm, form_value

router = PageRouter("/parsers/{parser_ref}/post-processing")

_EMPTY_PAIRS = 2
_DOCUMENTS = 20
_DONE = {
    "saved": "The steps are saved. They apply to documents that are read from now on.",
    "table-saved": "The lookup table is saved.",
    "table-deleted": "The lookup table is deleted.",
}
_SEPARATORS = {"": "none", ".": "point", ",": "comma", " ": "space", "'": "apostrophe"}

Writer = Annotated[ParserVisit, of_parser("parsers:write")]


@router.get("")
def show(at: Writer, done: str = "") -> Response:
    """Return the page."""
    return _page(at, done=_DONE.get(done, ""))


@router.post("")
def add(form: UserForm, at: Writer) -> Response:
    """Add a step after the others."""
    raw = typed_step(form)
    with shown_on(partial(_page, at, (0, raw))):
        steps = [*get_post_processing(*at.of_parser), parsed_step(raw)]
        set_post_processing(*at.of_parser, steps, at.user.actor)
    return at.back("post-processing", done="saved")


@router.post("/try")
async def try_out(form: UserForm, at: Writer, lane: Evaluations) -> Response:
    """Show what the steps do to a document."""
    document_id = form_value(form, "document")
    require(at.user, "documents:read")
    with shown_on(partial(_page, at, None, document_id=document_id)):
        if not document_id:
            raise InputError("Choose a document")
        tried = await lane.run(at.user.team_id, lambda: try_post_processing(*at.of_parser, document_id))
    return await run_in_threadpool(partial(_page, at, tried=tried, document_id=document_id))


@router.post("/lookup-tables")
async def put_table(request: Request, at: Writer) -> Response:
    """Store a lookup table; one of the same name is replaced."""

    def prepare(form: Upload) -> Callable[[], LookupTableView]:
        name = form.fields.get("name", "").strip()
        if len(form.files) != 1:
            raise InputError("Choose exactly one file")
        stored = form.files[0].stored
        if stored.size > MAX_LOOKUP_TABLE_BYTES:
            raise TooLarge("File too large")

        def put() -> LookupTableView:
            data = at.inst.files.read_bytes(stored.sha256)
            return put_lookup_table(*at.of_parser, name, data, at.user.actor)

        return put

    with shown_on(partial(_page, at, None)):
        await at.receive(request, prepare, "name")
    return at.back("post-processing", done="table-saved")


@router.post("/lookup-tables/{table}/delete")
def delete_table(table: str, form: UserForm, at: Writer) -> Response:
    """Delete a lookup table that no step uses."""
    with shown_on(partial(_page, at, None)):
        delete_lookup_table(*at.of_parser, table, at.user.actor)
    return at.back("post-processing", done="table-deleted")


@router.post("/{number}")
def change(number: int, form: UserForm, at: Writer) -> Response:
    """Change, move or delete the step of that number, from 1."""
    steps: list[Any] = get_post_processing(*at.of_parser)
    with shown_on(partial(_page, at, None)):
        check_unchanged(form, {"steps": steps}, "steps")
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
    with shown_on(partial(_page, at, (number, raw) if raw else None)):
        set_post_processing(*at.of_parser, steps, at.user.actor)
    return at.back("post-processing", done="saved")


def _page(
    at: ParserVisit,
    typed: tuple[int, RawStep] | None = None,
    error: InputError | None = None,
    *,
    done: str = "",
    tried: TryOut | None = None,
    document_id: str = "",
) -> Response:
    """Return the page; ``typed`` is the step that is wrong, by its number or 0 for a new one."""
    steps = get_post_processing(*at.of_parser)
    number, raw = typed or (None, None)
    new = {"transform": NEW_TRANSFORM, "lookup": NEW_LOOKUP}
    if number == 0 and raw:
        new[raw.type] = raw
    documents = list_documents(*at.of_parser, limit=_DOCUMENTS).rows
    return at.page(
        "post_processing/post_processing.html.j2",
        done=done,
        error=error_at_top(error),
        before=json.dumps({"steps": steps}),
        steps=[
            (raw_step(step), raw if at_number == number and raw else raw_step(step))
            for at_number, step in enumerate(steps, start=1)
        ],
        wrong=number,
        new=new,
        targets=targets(at.parser.fields),
        tables=list_lookup_tables(*at.of_parser),
        decimal_separators=[(separator, _SEPARATORS[separator]) for separator in DECIMAL_SEPARATORS],
        group_separators=[(separator, _SEPARATORS[separator]) for separator in GROUP_SEPARATORS],
        empty_pairs=_EMPTY_PAIRS,
        documents=[document for document in documents if document.status in HAS_VALUES],
        document_id=document_id,
        tried=tried,
    )
