"""Parsers (spec.md, Parsers; contract C1–C3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic.alias_generators import to_camel

from docduck.api.request.current_caller import Inst, Who
from docduck.api.request.params import Limit, Page, ParserId
from docduck.api.response.openapi_responses import answers
from docduck.api.route import GuardedRoute, needs
from docduck.api.schemas.base import Done, Listed
from docduck.api.schemas.parsers import NewParser, ParserCopy, ParserRowShown, ParserUpdate, WholeParser
from docduck.api.serializers.pages import page_of
from docduck.api.serializers.parsers import parser_row, whole_parser
from docduck.errors import Forbidden
from docduck.fields import parse_fields
from docduck.service.parsers import parsers as service
from docduck.service.parsers.field_editing import named
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parser_listing import SORTS, find_parsers
from docduck.service.reviews.parser_details import parser_details

router = APIRouter(prefix="/parsers", tags=["Parsers"], route_class=GuardedRoute)

_OWN = ("name", "description", "is_active", "type", "template_key", "fields")
"""What is a parser's own; all else that a body may hold is a setting."""

Part = Annotated[str, Query(max_length=255, description="Part of the name, in any case")]
Active = Annotated[bool | None, Query(description="Only active, or only inactive ones")]
Type = Annotated[str | None, Query(max_length=64)]
Sort = Annotated[str, Query(json_schema_extra={"enum": list(SORTS)})]


@router.get(
    "", summary="List parsers", openapi_extra=needs("parsers:read"), responses=answers(Listed[ParserRowShown])
)
def list_(
    inst: Inst,
    who: Who,
    q: Part = "",
    isActive: Active = None,
    type: Type = None,
    page: Page = 1,
    limit: Limit = 50,
    sort: Sort = "createdAt.desc",
) -> Any:
    """The team's parsers that the key may see."""
    found = find_parsers(
        inst,
        who.team_id,
        q=q,
        is_active=isActive,
        type=type,
        only=who.parser_ids,
        sort=sort,
        page=page,
        limit=limit,
    )
    return page_of(
        [parser_row(one, counts) for one, counts in found.rows], found.page, found.limit, found.total
    )


@router.post(
    "",
    summary="Create a parser",
    status_code=201,
    openapi_extra=needs("parsers:write"),
    responses=answers(WholeParser, 413, status=201),
)
def create(body: NewParser, inst: Inst, who: Who) -> Any:
    """Make a parser, with its fields or from a template."""
    if who.parser_ids is not None:
        raise Forbidden
    given = body.given()
    fields = [one.model_dump(exclude_unset=True) for one in body.fields]
    made = service.create_parser(
        inst,
        who.team_id,
        service.NewParser(
            name=body.name,
            description=given.get("description"),
            template_key=body.template_key,
            type=body.type,
            fields=parse_fields(named(fields)) if "fields" in given else None,
            settings=_settings(given),
            is_active=given.get("is_active", True),
        ),
        who.actor,
        place="",
    )
    return whole_parser(parser_details(inst, who.team_id, made.id))


@router.get(
    "/{parserId}",
    summary="Get a parser",
    openapi_extra=needs("parsers:read"),
    responses=answers(WholeParser),
)
def get(parserId: ParserId, inst: Inst, who: Who) -> Any:
    """A parser with its fields and review stages."""
    return whole_parser(parser_details(inst, who.team_id, parserId))


@router.patch(
    "/{parserId}",
    summary="Change a parser",
    openapi_extra=needs("parsers:write"),
    responses=answers(WholeParser, 413),
)
def update(parserId: ParserId, body: ParserUpdate, inst: Inst, who: Who) -> Any:
    """Change a parser's properties and settings; what is not sent stays."""
    given = body.given()
    changes = service.ParserChanges(
        given.get("name"), given.get("description"), given.get("is_active"), _settings(given) or None
    )
    service.update_parser(inst, who.team_id, parserId, changes, who.actor)
    return whole_parser(parser_details(inst, who.team_id, parserId))


@router.post(
    "/{parserId}/duplicate",
    summary="Duplicate a parser",
    status_code=201,
    openapi_extra=needs("parsers:write"),
    responses=answers(WholeParser, 413, status=201),
)
def duplicate(parserId: ParserId, inst: Inst, who: Who, body: ParserCopy | None = None) -> Any:
    """Copy a parser's setup; documents, keys, webhooks and history are not copied."""
    if who.parser_ids is not None:
        raise Forbidden
    wished = body or ParserCopy()
    made = duplicate_parser(inst, who.team_id, parserId, wished.name, wished.description, who.actor)
    return whole_parser(parser_details(inst, who.team_id, made.id))


@router.delete(
    "/{parserId}",
    summary="Delete a parser",
    openapi_extra=needs("parsers:write"),
    responses=answers(Done, 409),
)
def delete(parserId: ParserId, inst: Inst, who: Who) -> Any:
    """Remove a parser; its documents are hidden with it."""
    return {"success": True, "id": service.delete_parser(inst, who.team_id, parserId, who.actor)}


def _settings(given: Mapping[str, Any]) -> dict[str, Any]:
    return {to_camel(name): value for name, value in given.items() if name not in _OWN}
