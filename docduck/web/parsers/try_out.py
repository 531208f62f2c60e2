"""The try-out of a parser: what its fields, as they stand now, read from a document."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from docduck.api.request.current_caller import Inst
from docduck.api.request.file_uploads import received_aside
from docduck.api.request.lanes import Evaluations
from docduck.api.route import require
from docduck.errors import BodyTooSlow, Forbidden, InputError, NotFound
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.documents.doubts import unsure_below
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.try_out import FieldTryOut, try_fields, try_file
from docduck.web.documents.shown_values import doubts_of, shown_fields
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.rest_bodies import error_at_top
from docduck.web.visit import (
    FORM_TOKEN,
    CurrentMember,
    CurrentUser,
    UserForm,
    check_form_token,
    check_own_site,
    form_value,
)

router = APIRouter(prefix="/parsers/{parser_ref}/try", include_in_schema=False, route_class=PageRoute)

_DOCUMENTS = 50


@router.get("")
def show(
    parser_ref: str,
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    document: Annotated[str, Query(max_length=36)] = "",
) -> Response:
    """Return the page, with a document chosen."""
    _check(user)
    return _page(inst, signed_in, user, parser_ref, document)


@router.post("")
async def try_out(
    parser_ref: str,
    form: UserForm,
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    lane: Evaluations,
) -> Response:
    """Show what is read of a document."""
    _check(user)
    document, team_id = form_value(form, "document"), user.team_id
    await run_in_threadpool(get_parser, inst, team_id, parser_ref)
    try:
        if not document:
            raise InputError("Choose a document")
        tried = await lane.run(team_id, lambda: try_fields(inst, team_id, parser_ref, document))
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return await run_in_threadpool(_page, inst, signed_in, user, parser_ref, document, error)
    return await run_in_threadpool(_page, inst, signed_in, user, parser_ref, document, None, tried)


@router.post("/file")
async def try_file_out(
    parser_ref: str,
    request: Request,
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    lane: Evaluations,
) -> Response:
    """Show what is read of a file, which is not stored."""
    _check(user)
    check_own_site(request, inst.settings)
    team_id = user.team_id
    await run_in_threadpool(get_parser, inst, team_id, parser_ref)
    try:
        async with received_aside(request, inst, (FORM_TOKEN,)) as (form, aside):
            check_form_token(signed_in, form.fields.get(FORM_TOKEN, ""))
            if len(form.files) != 1:
                raise InputError("Choose one file")
            (file,) = form.files
            path = await run_in_threadpool(aside.path, file.stored)
            tried = await lane.run(team_id, lambda: try_file(inst, team_id, parser_ref, file, path))
    except (BodyTooSlow, Forbidden, NotFound):
        raise
    except InputError as error:
        return await run_in_threadpool(_page, inst, signed_in, user, parser_ref, "", error)
    return await run_in_threadpool(_page, inst, signed_in, user, parser_ref, "", None, tried)


def _check(user: TeamUser) -> None:
    require(user, "parsers:read")
    require(user, "documents:read")


def _page(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    parser_ref: str,
    document: str,
    error: InputError | None = None,
    tried: FieldTryOut | None = None,
) -> Response:
    parser = get_parser(inst, user.team_id, parser_ref)
    read = None if tried is None else tried.extraction
    fields, tables = (
        shown_fields(read.fields, read.data, read.field_metadata, unsure_below(parser.settings))
        if read is not None
        else ([], [])
    )
    return page(
        "parsers/try.html.j2",
        signed_in,
        error=None if error is None else error_at_top(error),
        parser=parser,
        tab="try",
        documents=list_documents(inst, user.team_id, parser.id, limit=_DOCUMENTS).rows,
        document_id=document,
        tried=tried,
        fields=fields,
        doubts=doubts_of(fields, tables),
        tables=tables,
        may_write="fields:write" in user.permissions,
    )
