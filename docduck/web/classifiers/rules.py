"""The rules of a classifier."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.errors import Forbidden, InputError, NotFound
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.classifiers.classifiers import get_classifier, update_classifier
from docduck.service.core.installation import Installation
from docduck.service.parsers.parser_listing import parser_names
from docduck.web.classifiers.rules_form import place_of, routing_of, shown_rules
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.rest_bodies import error_at
from docduck.web.visit import CurrentMember, CurrentUser, Form, UserForm

router = APIRouter(
    prefix="/classifiers/{classifier_id}/rules", include_in_schema=False, route_class=PageRoute
)


@router.get("")
def show(
    classifier_id: str, inst: Inst, signed_in: CurrentUser, user: CurrentMember, saved: bool = False
) -> Response:
    """Return the rules, the fallback and the instructions."""
    require(user, "classifiers:write")
    return _page(inst, signed_in, user, classifier_id, done="The rules are saved." if saved else "")


@router.post("")
def save(
    classifier_id: str, form: UserForm, inst: Inst, signed_in: CurrentUser, user: CurrentMember
) -> Response:
    """Replace the rules; one that stays keeps its examples."""
    require(user, "classifiers:write")
    classifier = get_classifier(inst, user.team_id, classifier_id)
    try:
        changes = {"routing": routing_of(form)}
        update_classifier(inst, user.team_id, classifier.id, changes, user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        input_error = error_at(error, place_of(error.path))
        return _page(inst, signed_in, user, classifier.id, form=form, error=input_error)
    return RedirectResponse(f"/classifiers/{classifier.id}/rules?saved=true", 303)


def _page(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    classifier_id: str,
    *,
    done: str = "",
    form: Form | None = None,
    error: InputError | None = None,
) -> Response:
    classifier = get_classifier(inst, user.team_id, classifier_id)
    return page(
        "classifiers/rules.html.j2",
        signed_in,
        done=done,
        error=error,
        classifier=classifier,
        tab="rules",
        parsers=parser_names(inst, user.team_id),
        **shown_rules(form, classifier.routing),
    )
