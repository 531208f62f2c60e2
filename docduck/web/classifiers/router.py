"""The list of classifiers, and new ones."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.errors import Forbidden, InputError, NotFound
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.classifiers.classifier_listing import find_classifiers
from docduck.service.classifiers.classifiers import create_classifier
from docduck.service.core.installation import Installation
from docduck.service.parsers.parser_listing import parser_names
from docduck.service.schemas.classifiers import NewClassifier
from docduck.web.classifiers.rules_form import EMPTY_ROUTING, place_of, routing_of, shown_rules
from docduck.web.page import last_page, page, page_link
from docduck.web.page_route import PageRoute
from docduck.web.rest_bodies import checked_body, error_at
from docduck.web.visit import CurrentMember, CurrentUser, Form, UserForm, form_value

router = APIRouter(prefix="/classifiers", include_in_schema=False, route_class=PageRoute)

_LIMIT = 100


@router.get("")
def list_(
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    number: Annotated[int, Query(alias="page", ge=1, le=1_000_000)] = 1,
) -> Response:
    """Return the team's classifiers with the counts of their documents."""
    require(user, "classifiers:read")
    listed = find_classifiers(inst, user.team_id, sort="name.asc", page=number, limit=_LIMIT)
    return page(
        "classifiers/list.html.j2",
        signed_in,
        rows=listed.rows,
        number=number,
        last=last_page(listed),
        link=partial(page_link, "/classifiers"),
        may_write="classifiers:write" in user.permissions,
    )


@router.get("/new")
def new(inst: Inst, signed_in: CurrentUser, user: CurrentMember) -> Response:
    """Return the form for a new classifier."""
    require(user, "classifiers:write")
    return _form(inst, signed_in, user)


@router.post("/new")
def create(form: UserForm, inst: Inst, signed_in: CurrentUser, user: CurrentMember) -> Response:
    """Create a classifier."""
    require(user, "classifiers:write")
    try:
        body = {"name": form_value(form, "name"), "description": form_value(form, "description")}
        new = checked_body(NewClassifier, {**body, "routing": routing_of(form)}).given()
        created = create_classifier(inst, user.team_id, new, user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return _form(inst, signed_in, user, form, error_at(error, place_of(error.path)))
    return RedirectResponse(f"/classifiers/{created.id}/documents", 303)


def _form(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    form: Form | None = None,
    error: InputError | None = None,
) -> Response:
    return page(
        "classifiers/new.html.j2",
        signed_in,
        error=error,
        name=form_value(form or {}, "name"),
        description=form_value(form or {}, "description"),
        parsers=parser_names(inst, user.team_id),
        **shown_rules(form, EMPTY_ROUTING),
    )
