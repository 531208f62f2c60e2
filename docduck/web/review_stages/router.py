"""The review stages of a parser: adding, changing, ordering and deleting them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.errors import Conflict, Forbidden, InputError, NotFound
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.conditions import Aspect, Operator
from docduck.service.conditions.rules import MOST_RULES
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import get_parser
from docduck.service.reviews.review_stages import get_stage, list_stages, reviewers
from docduck.service.reviews.stage_changes import (
    create_stage,
    delete_stage,
    update_stage,
)
from docduck.service.schemas.review_stages import LONGEST_INSTRUCTIONS
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.rest_bodies import error_at_top
from docduck.web.review_stages.stage_form import (
    NO_RULE,
    ShownStage,
    stage_changes,
    stored_stage,
    targets,
    typed_stage,
)
from docduck.web.visit import CurrentMember, CurrentUser, UserForm, form_value

router = APIRouter(
    prefix="/parsers/{parser_ref}/review-stages", include_in_schema=False, route_class=PageRoute
)

_NEW = "new"
_EMPTY_RULES = 2
_DONE = {"saved": "The stages are saved. They apply to documents that are read from now on."}


def _setter(user: CurrentMember) -> TeamUser:
    """Return the user if they may set up reviews; raise Forbidden. Reviewers may decide only."""
    require(user, "reviews:read")
    require(user, "reviews:write")
    return user


Setter = Annotated[TeamUser, Depends(_setter)]


@router.get("")
def show(parser_ref: str, inst: Inst, signed_in: CurrentUser, user: Setter, done: str = "") -> Response:
    """Return the parser's stages."""
    return _page(inst, signed_in, user, parser_ref, done=_DONE.get(done, ""))


@router.post("")
def add(parser_ref: str, form: UserForm, inst: Inst, signed_in: CurrentUser, user: Setter) -> Response:
    """Add a stage after the others."""
    parser = get_parser(inst, user.team_id, parser_ref)
    typed = typed_stage(form, _NEW)
    try:
        create_stage(inst, user.team_id, parser.id, stage_changes(typed, None), user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return _page(inst, signed_in, user, parser_ref, error=error, typed=typed)
    return _back(parser.slug)


@router.post("/{stage_id}")
def change(
    parser_ref: str, stage_id: str, form: UserForm, inst: Inst, signed_in: CurrentUser, user: Setter
) -> Response:
    """Change, move or delete a stage."""
    parser = get_parser(inst, user.team_id, parser_ref)
    stage = get_stage(inst, user.team_id, parser.id, stage_id)
    team = user.team_id
    match form_value(form, "action"):
        case "save":
            typed = typed_stage(form, stage.id)
            try:
                update_stage(inst, team, parser.id, stage.id, stage_changes(typed, stage), user.actor)
            except (Forbidden, NotFound):
                raise
            except InputError as error:
                return _page(inst, signed_in, user, parser_ref, error=error, typed=typed)
        case "delete":
            try:
                delete_stage(inst, team, parser.id, stage.id, user.actor)
            except Conflict as error:
                return _page(inst, signed_in, user, parser_ref, error=error)
        case "up" | "down" as direction:
            position = max(1, stage.position + (1 if direction == "down" else -1))
            update_stage(inst, team, parser.id, stage.id, {"position": position}, user.actor)
        case _:
            raise InputError("Choose what to do with the stage")
    return _back(parser.slug)


def _page(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    parser_ref: str,
    *,
    done: str = "",
    error: InputError | None = None,
    typed: ShownStage | None = None,
) -> Response:
    """Return the page; ``typed`` is the stage that is wrong, as it was typed."""
    parser = get_parser(inst, user.team_id, parser_ref)
    return page(
        "review_stages/review_stages.html.j2",
        signed_in,
        done=done,
        error=None if error is None else error_at_top(error),
        parser=parser,
        tab="review-stages",
        stages=[
            (stage, typed if typed and typed.id == stage.id else stored_stage(stage))
            for stage in list_stages(inst, user.team_id, parser.id)
        ],
        typed=typed,
        new=typed if typed and typed.id == _NEW else ShownStage(_NEW),
        members=reviewers(inst, user.team_id, parser.id),
        targets=targets(parser.fields),
        aspects=[aspect.value for aspect in Aspect],
        operators=[operator.value for operator in Operator],
        no_rule=NO_RULE,
        empty_rules=_EMPTY_RULES,
        most_rules=MOST_RULES,
        longest_instructions=LONGEST_INSTRUCTIONS,
    )


def _back(slug: str) -> Response:
    return RedirectResponse(f"/parsers/{slug}/review-stages?done=saved", 303)
