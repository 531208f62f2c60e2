"""The page of what a parser has learned."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from starlette.responses import Response

from docduck.service.corrections.lessons import list_lessons, remove_lesson
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page import PageNumber, page_link
from docduck.web.page_route import PageRouter
from docduck.web.visit import UserForm

router = PageRouter("/parsers/{parser_ref}/lessons")

_LIMIT = 50


@router.get("")
def show(
    at: Annotated[ParserVisit, of_parser("parsers:read", "documents:read")], number: PageNumber = 1
) -> Response:
    """Return a page of the lessons, the newest first."""
    return at.page(
        "lessons/lessons.html.j2",
        lessons=list_lessons(*at.of_parser, number, _LIMIT),
        link=partial(page_link, f"/parsers/{at.parser.slug}/lessons"),
        may_write=at.may("parsers:write"),
        may_read_again=at.may("documents:write"),
    )


@router.post("/{lesson_id}/remove")
def remove(
    lesson_id: str, form: UserForm, at: Annotated[ParserVisit, of_parser("parsers:write")]
) -> Response:
    """Remove a lesson."""
    remove_lesson(*at.of_parser, lesson_id, at.user.actor)
    return at.back("lessons")
