"""The try-out of a parser: what its fields, as they stand now, read from a document."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from docduck.api.request.file_uploads import received_aside
from docduck.api.request.lanes import Evaluations
from docduck.errors import InputError
from docduck.service.documents.doubts import unsure_below
from docduck.service.documents.queries.listing import list_documents
from docduck.service.previews.try_out import FieldTryOut, try_fields, try_file
from docduck.web.documents.shown_values import doubts_of, shown_fields
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import error_at_top, shown_on
from docduck.web.visit import FORM_TOKEN, UserForm, check_form_token, check_own_site, form_value

router = PageRouter("/parsers/{parser_ref}/try")

_DOCUMENTS = 50

Reader = Annotated[ParserVisit, of_parser("parsers:read", "documents:read")]


@router.get("")
def show(at: Reader, document: Annotated[str, Query(max_length=36)] = "") -> Response:
    """Return the page, with a document chosen."""
    return _page(at, document)


@router.post("")
async def try_out(form: UserForm, at: Reader, lane: Evaluations) -> Response:
    """Show what is read of a document."""
    document = form_value(form, "document")
    with shown_on(partial(_page, at, document)):
        if not document:
            raise InputError("Choose a document")
        tried = await lane.run(at.user.team_id, lambda: try_fields(*at.of_parser, document))
    return await run_in_threadpool(_page, at, document, tried=tried)


@router.post("/file")
async def try_file_out(request: Request, at: Reader, lane: Evaluations) -> Response:
    """Show what is read of a file, which is not stored."""
    check_own_site(request, at.inst.settings)
    with shown_on(partial(_page, at, "")):
        async with received_aside(request, at.inst, (FORM_TOKEN,)) as (form, aside):
            check_form_token(at.signed_in, form.fields.get(FORM_TOKEN, ""))
            if len(form.files) != 1:
                raise InputError("Choose one file")
            (file,) = form.files
            path = await run_in_threadpool(aside.path, file.stored)
            tried = await lane.run(at.user.team_id, lambda: try_file(*at.of_parser, file, path))
    return await run_in_threadpool(_page, at, "", tried=tried)


def _page(
    at: ParserVisit, document: str, error: InputError | None = None, tried: FieldTryOut | None = None
) -> Response:
    read = None if tried is None else tried.extraction
    fields, tables = (
        shown_fields(read.fields, read.data, read.field_metadata, unsure_below(at.parser.settings))
        if read is not None
        else ([], [])
    )
    return at.page(
        "parsers/try.html.j2",
        error=error_at_top(error),
        documents=list_documents(*at.of_parser, limit=_DOCUMENTS).rows,
        document_id=document,
        tried=tried,
        fields=fields,
        doubts=doubts_of(fields, tables),
        tables=tables,
        may_write=at.may("fields:write"),
    )
