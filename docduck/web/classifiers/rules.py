"""The rules of a classifier."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated

from starlette.responses import Response

from docduck.errors import InputError
from docduck.service.classifiers.classifiers import update_classifier
from docduck.service.parsers.parser_listing import parser_names
from docduck.web.classifiers.rules_form import place_of, routing_of, shown_rules
from docduck.web.controls import SHOWN, check_unchanged
from docduck.web.member import ClassifierVisit, of_classifier
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import error_at, shown_on
from docduck.web.visit import Form, UserForm, form_value

router = PageRouter("/classifiers/{classifier_id}/rules")

Writer = Annotated[ClassifierVisit, of_classifier("classifiers:write")]


@router.get("")
def show(at: Writer, saved: bool = False) -> Response:
    """Return the rules, the fallback and the instructions."""
    return _page(at, done="The rules are saved." if saved else "")


@router.post("")
def save(form: UserForm, at: Writer) -> Response:
    """Replace the rules; one that stays keeps its examples."""
    with shown_on(partial(_page, at, form)):
        check_unchanged(form, at.classifier.routing, "rules")
        update_classifier(*at.of_classifier, {"routing": routing_of(form)}, at.user.actor)
    return at.back("rules", saved="true")


def _page(
    at: ClassifierVisit, form: Form | None = None, error: InputError | None = None, done: str = ""
) -> Response:
    return at.page(
        "classifiers/rules.html.j2",
        done=done,
        error=error_at(error, place_of(error.path)) if error else None,
        parsers=parser_names(*at.team),
        before=form_value(form, SHOWN) if form else json.dumps(at.classifier.routing),
        **shown_rules(form, at.classifier.routing),
    )
