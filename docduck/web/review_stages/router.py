"""The review stages of a parser: adding, changing, ordering and deleting them."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from starlette.responses import Response

from docduck.errors import InputError
from docduck.service.conditions import Aspect, Operator
from docduck.service.conditions.rules import MOST_RULES
from docduck.service.reviews.review_stages import get_stage, list_stages, reviewers
from docduck.service.reviews.stage_changes import (
    create_stage,
    delete_stage,
    update_stage,
)
from docduck.service.schemas.review_stages import LONGEST_INSTRUCTIONS
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import error_at_top, shown_on
from docduck.web.review_stages.stage_form import (
    NO_RULE,
    ShownStage,
    stage_changes,
    stored_stage,
    targets,
    typed_stage,
)
from docduck.web.visit import UserForm, form_value

router = PageRouter("/parsers/{parser_ref}/review-stages")

_NEW = "new"
_EMPTY_RULES = 2
_DONE = {"saved": "The stages are saved. They apply to documents that are read from now on."}

Setter = Annotated[ParserVisit, of_parser("reviews:read", "reviews:write")]
"""Whoever may set up reviews; reviewers may decide only."""


@router.get("")
def show(at: Setter, done: str = "") -> Response:
    """Return the parser's stages."""
    return _page(at, done=_DONE.get(done, ""))


@router.post("")
def add(form: UserForm, at: Setter) -> Response:
    """Add a stage after the others."""
    typed = typed_stage(form, _NEW)
    with shown_on(partial(_page, at, typed)):
        create_stage(*at.of_parser, stage_changes(typed, None), at.user.actor)
    return at.back("review-stages", done="saved")


@router.post("/{stage_id}")
def change(stage_id: str, form: UserForm, at: Setter) -> Response:
    """Change, move or delete a stage."""
    stage = get_stage(*at.of_parser, stage_id)
    match form_value(form, "action"):
        case "save":
            typed = typed_stage(form, stage.id)
            with shown_on(partial(_page, at, typed)):
                update_stage(*at.of_parser, stage.id, stage_changes(typed, stage), at.user.actor)
        case "delete":
            with shown_on(partial(_page, at, None)):
                delete_stage(*at.of_parser, stage.id, at.user.actor)
        case "up" | "down" as direction:
            position = max(1, stage.position + (1 if direction == "down" else -1))
            update_stage(*at.of_parser, stage.id, {"position": position}, at.user.actor)
        case _:
            raise InputError("Choose what to do with the stage")
    return at.back("review-stages", done="saved")


def _page(
    at: ParserVisit, typed: ShownStage | None = None, error: InputError | None = None, done: str = ""
) -> Response:
    """Return the page; ``typed`` is the stage that is wrong, as it was typed."""
    return at.page(
        "review_stages/review_stages.html.j2",
        done=done,
        error=error_at_top(error),
        stages=[
            (stage, typed if typed and typed.id == stage.id else stored_stage(stage))
            for stage in list_stages(*at.of_parser)
        ],
        typed=typed,
        new=typed if typed and typed.id == _NEW else ShownStage(_NEW),
        members=[(user.id, f"{user.name} ({user.email})") for user in reviewers(*at.of_parser)],
        targets=targets(at.parser.fields),
        aspects=[aspect.value for aspect in Aspect],
        operators=[operator.value for operator in Operator],
        no_rule=NO_RULE,
        empty_rules=_EMPTY_RULES,
        most_rules=MOST_RULES,
        longest_instructions=LONGEST_INSTRUCTIONS,
    )
