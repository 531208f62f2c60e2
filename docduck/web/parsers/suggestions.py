"""The page of suggestions: fields and tables found on a sample, accepted one by one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.errors import Forbidden, InputError, NotFound
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.documents.reprocessing import reprocess_parser
from docduck.service.parsers.field_editing import add_fields
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.field_suggestions import read_sample, sample_of
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.parsers.suggested_fields import TYPES, accepted_fields, suggestions
from docduck.web.rest_bodies import error_at_top
from docduck.web.visit import CurrentMember, CurrentUser, Form, UserForm, form_value

router = APIRouter(prefix="/parsers/{parser_ref}/suggestions", include_in_schema=False, route_class=PageRoute)


@router.get("")
def show(
    parser_ref: str,
    request: Request,
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    document: Annotated[str, Query(max_length=36)],
) -> Response:
    """Return the fields and tables found on a document of the parser, to be accepted."""
    require(user, "fields:write")
    require(user, "documents:read")
    return _page(request, inst, signed_in, user, parser_ref, document)


@router.post("")
def accept(
    parser_ref: str,
    request: Request,
    form: UserForm,
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
) -> Response:
    """Add the accepted fields, and read the parser's documents with them."""
    require(user, "fields:write")
    parser = get_parser(inst, user.team_id, parser_ref)
    try:
        fields = accepted_fields(form, [field.name for field in parser.fields])
        if fields:
            add_fields(inst, user.team_id, parser.id, fields, user.actor)
            reprocess_parser(inst, user.team_id, parser.id, actor=user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return _page(request, inst, signed_in, user, parser.slug, form_value(form, "document"), error, form)
    return RedirectResponse(f"/parsers/{parser.slug}/fields", 303)


def _page(
    request: Request,
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    parser_ref: str,
    document: str,
    error: InputError | None = None,
    typed: Form | None = None,
) -> Response:
    parser = get_parser(inst, user.team_id, parser_ref)
    sample = sample_of(inst, user.team_id, parser.id, document)
    read = read_sample(inst, user.team_id, parser.id, sample)
    return page(
        "parsers/suggestions.html.j2",
        signed_in,
        error=None if error is None else error_at_top(error),
        parser=parser,
        document=document,
        page_count=read.page_count,
        types=TYPES,
        suggested=suggestions(read, [field.name for field in parser.fields], typed or {}),
    )
