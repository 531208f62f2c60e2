"""The page of suggestions: fields and tables found on a sample, accepted one by one."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from docduck.api.request.lanes import Evaluations
from docduck.errors import InputError
from docduck.extraction.models import usable_models
from docduck.service.documents.reprocessing import reprocess_parser
from docduck.service.parsers.field_editing import add_fields
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.field_suggestions import read_sample, sample_of
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page_route import PageRouter
from docduck.web.parsers.suggested_fields import TYPES, accepted_fields, suggestions
from docduck.web.rest_bodies import error_at_top, shown_on
from docduck.web.visit import Form, UserForm, form_value

router = PageRouter("/parsers/{parser_ref}/suggestions")

Reader = Annotated[ParserVisit, of_parser("fields:write", "documents:read")]


@router.get("")
def show(
    at: Reader,
    document: Annotated[str, Query(max_length=36)],
) -> Response:
    """Return the fields and tables found on a document of the parser, to be accepted."""
    return _page(at, {}, None, document)


@router.post("/ask")
async def ask(form: UserForm, at: Reader, lane: Evaluations) -> Response:
    """Return the suggestions with those of the language model, which is asked."""
    return await lane.run(
        at.user.team_id, partial(_page, at, {"asked": ["yes"]}, None, form_value(form, "document"))
    )


@router.post("")
def accept(form: UserForm, at: Annotated[ParserVisit, of_parser("fields:write")]) -> Response:
    """Add the accepted fields, and read the parser's documents with them."""
    with shown_on(partial(_page, at, form)):
        fields = accepted_fields(form, [field.name for field in at.parser.fields])
        if fields:
            add_fields(*at.of_parser, fields, at.user.actor)
            reprocess_parser(*at.of_parser, actor=at.user.actor)
    return at.back("fields")


def _page(at: ParserVisit, typed: Form, error: InputError | None = None, document: str = "") -> Response:
    # The fields as they are now: some may have been added before something failed.
    parser = get_parser(*at.of_parser)
    document = document or form_value(typed, "document")
    is_asked = form_value(typed, "asked") == "yes"
    read = read_sample(*at.of_parser, sample_of(*at.of_parser, document), use_model=is_asked)
    return at.page(
        "parsers/suggestions.html.j2",
        error=error_at_top(error),
        document=document,
        page_count=read.page_count,
        types=TYPES,
        may_ask=not is_asked and usable_models(at.inst.settings).has(parser.settings.get("model")),
        is_asked=is_asked,
        warnings=read.warnings if is_asked else (),
        usage=read.usage,
        suggested=suggestions(read, [field.name for field in parser.fields], typed),
    )
