"""Parsers of a team."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import Field

from docduck.api.request.current_caller import Call, CurrentCall
from docduck.api.request.params import NamedList, ParserId
from docduck.api.response.entity_tags import IfMatch, tagged
from docduck.api.response.openapi import error_responses
from docduck.api.route import ResourceRouter
from docduck.api.schemas.base import Done, PageResponse
from docduck.api.schemas.parsers import (
    NewParser,
    ParserCopy,
    ParserDetailsResponse,
    ParserResponse,
    ParserUpdate,
)
from docduck.errors import Forbidden
from docduck.fields import parse_fields
from docduck.service.documents.cancellation import cancel_orphans
from docduck.service.parsers import parsers as service
from docduck.service.parsers.field_editing import named
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parser_listing import ParserCounts, find_parsers
from docduck.service.parsers.parser_settings import settings_in
from docduck.service.reviews.review_stages import parser_details

router = ResourceRouter("/parsers", "Parsers", read="parsers:read", write="parsers:write")


class ParserList(NamedList):
    """The parameters of a list of parsers."""

    type: Annotated[str, Field(max_length=64)] | None = None


@router.get("", summary="List parsers")
def list_(call: CurrentCall, query: Annotated[ParserList, Query()]) -> PageResponse[ParserResponse]:
    """Return the team's parsers that the key may see."""
    parser_page = find_parsers(*call.team, only=call.caller.parser_ids, **query.sent_values())
    return PageResponse[ParserResponse].of_page(parser_page.map(_response))


@router.post("", summary="Create a parser", status_code=201)
def create(body: NewParser, call: CurrentCall) -> ParserDetailsResponse:
    """Create a parser, with its fields or from a template such as `invoice`."""
    if call.caller.parser_ids is not None:
        raise Forbidden
    properties = body.sent_values()
    fields = [field.model_dump(exclude_unset=True) for field in body.fields]
    made = service.create_parser(
        *call.team,
        service.NewParser(
            name=body.name,
            description=properties.get("description"),
            template_key=body.template_key,
            type=body.type,
            fields=parse_fields(named(fields)) if "fields" in properties else None,
            settings=settings_in(properties),
            is_active=properties.get("is_active", True),
        ),
        call.actor,
        place="",
    )
    return _details(call, made.id)


@router.get("/{parserId}", summary="Get a parser", **tagged())
def get(parserId: ParserId, call: CurrentCall) -> ParserDetailsResponse:
    """Return a parser with its fields and review stages."""
    return _details(call, parserId)


@router.patch("/{parserId}", summary="Change a parser", **tagged(changes=True))
def update(
    parserId: ParserId, body: ParserUpdate, call: CurrentCall, versions: IfMatch = None
) -> ParserDetailsResponse:
    """Change what is sent; objects are merged key by key."""
    changes = service.ParserChanges.of(body.sent_values())
    service.update_parser(*call.team, parserId, changes, call.actor, versions=versions)
    return _details(call, parserId)


@router.post("/{parserId}/duplicate", summary="Duplicate a parser", status_code=201)
def duplicate(parserId: ParserId, call: CurrentCall, body: ParserCopy | None = None) -> ParserDetailsResponse:
    """Copy a parser's setup; documents, keys, webhooks and history are not copied."""
    if call.caller.parser_ids is not None:
        raise Forbidden
    copy = body or ParserCopy()
    made = duplicate_parser(*call.team, parserId, copy.name, copy.description, call.actor)
    return _details(call, made.id)


@router.delete("/{parserId}", summary="Delete a parser", responses=error_responses(409))
def delete(parserId: ParserId, call: CurrentCall) -> Done:
    """Delete a parser; its documents are hidden with it, and reading them is cancelled."""
    deleted = service.delete_parser(*call.team, parserId, call.actor)
    cancel_orphans(call.inst)
    return Done(success=True, id=deleted)


def _response(row: tuple[service.ParserView, ParserCounts]) -> ParserResponse:
    view, counts = row
    return ParserResponse.of(view, counts=counts, field_count=len(view.fields))


def _details(call: Call, parser_id: str) -> ParserDetailsResponse:
    details = parser_details(*call.team, parser_id)
    return ParserDetailsResponse.of(
        details.parser,
        counts=details.counts,
        review_stages=details.stages,
        field_count=len(details.parser.fields),
        columns=details.parser.columns,
    )
