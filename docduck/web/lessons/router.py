"""The page of what a parser has learned."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.service.corrections.lessons import list_lessons, remove_lesson
from docduck.service.parsers.parsers import get_parser
from docduck.web.page import last_page, page, page_link
from docduck.web.page_route import PageRoute
from docduck.web.visit import CurrentMember, CurrentUser, UserForm

router = APIRouter(prefix="/parsers/{parser_ref}/lessons", include_in_schema=False, route_class=PageRoute)

_LIMIT = 50


@router.get("")
def show(
    parser_ref: str,
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    number: Annotated[int, Query(alias="page", ge=1, le=1_000_000_000)] = 1,
) -> Response:
    """Return a page of the lessons, the newest first."""
    require(user, "parsers:read")
    require(user, "documents:read")
    parser = get_parser(inst, user.team_id, parser_ref)
    lessons = list_lessons(inst, user.team_id, parser.id, number, _LIMIT)
    return page(
        "lessons/lessons.html.j2",
        signed_in,
        parser=parser,
        tab="lessons",
        lessons=lessons.rows,
        number=number,
        last=last_page(lessons),
        link=partial(page_link, f"/parsers/{parser.slug}/lessons"),
        may_write="parsers:write" in user.permissions,
        may_read_again="documents:write" in user.permissions,
    )


@router.post("/{lesson_id}/remove")
def remove(parser_ref: str, lesson_id: str, form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Remove a lesson."""
    require(user, "parsers:write")
    parser = get_parser(inst, user.team_id, parser_ref)
    remove_lesson(inst, user.team_id, parser.id, lesson_id, user.actor)
    return RedirectResponse(f"/parsers/{parser.slug}/lessons", 303)
