"""The list of classifiers, and new ones."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from starlette.responses import Response

from docduck.errors import InputError
from docduck.service.classifiers.classifier_listing import find_classifiers
from docduck.service.classifiers.classifiers import create_classifier
from docduck.service.parsers.parser_listing import parser_names
from docduck.service.schemas.classifiers import NewClassifier
from docduck.web.classifiers.rules_form import EMPTY_ROUTING, place_of, routing_of, shown_rules
from docduck.web.member import Visit, of_member
from docduck.web.page import PageNumber, page_link, see_other
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import checked_body, error_at, shown_on
from docduck.web.visit import Form, UserForm, form_value

router = PageRouter("/classifiers")

_LIMIT = 100

Writer = Annotated[Visit, of_member("classifiers:write")]


@router.get("")
def list_(at: Annotated[Visit, of_member("classifiers:read")], number: PageNumber = 1) -> Response:
    """Return the team's classifiers with the counts of their documents."""
    return at.page(
        "classifiers/list.html.j2",
        listed=find_classifiers(*at.team, sort="name.asc", page=number, limit=_LIMIT),
        link=partial(page_link, "/classifiers"),
        may_write=at.may("classifiers:write"),
    )


@router.get("/new")
def new(at: Writer) -> Response:
    """Return the form for a new classifier."""
    return _form(at)


@router.post("/new")
def create(form: UserForm, at: Writer) -> Response:
    """Create a classifier."""
    with shown_on(partial(_form, at, form)):
        body = {"name": form_value(form, "name"), "description": form_value(form, "description")}
        new = checked_body(NewClassifier, {**body, "routing": routing_of(form)}).sent_values()
        created = create_classifier(*at.team, new, at.user.actor)
    return see_other(f"/classifiers/{created.id}/documents")


def _form(at: Visit, form: Form | None = None, error: InputError | None = None) -> Response:
    return at.page(
        "classifiers/new.html.j2",
        error=error_at(error, place_of(error.path)) if error else None,
        name=form_value(form or {}, "name"),
        description=form_value(form or {}, "description"),
        parsers=parser_names(*at.team),
        **shown_rules(form, EMPTY_ROUTING),
    )
