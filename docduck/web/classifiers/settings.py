"""The settings of a classifier, and deleting it."""

from __future__ import annotations

import json

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.errors import Forbidden, InputError, NotFound
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.classifiers.classifiers import (
    ClassifierView,
    delete_classifier,
    get_classifier,
    update_classifier,
)
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.settings_schema import ParserSettings
from docduck.service.schemas.classifiers import ClassifierUpdate
from docduck.web.classifiers.controls import CONTROLS, SECTIONS
from docduck.web.controls import (
    SHOWN,
    changed_values,
    control_at,
    file_types,
    open_sections,
    typed_values,
)
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.parser_settings.controls import raw_settings
from docduck.web.rest_bodies import checked_body, error_at
from docduck.web.visit import CurrentMember, CurrentUser, Form, UserForm, form_value

router = APIRouter(
    prefix="/classifiers/{classifier_id}/settings", include_in_schema=False, route_class=PageRoute
)


@router.get("")
def show(
    classifier_id: str, inst: Inst, signed_in: CurrentUser, user: CurrentMember, saved: bool = False
) -> Response:
    """Return the settings."""
    require(user, "classifiers:write")
    classifier = get_classifier(inst, user.team_id, classifier_id)
    return _page(signed_in, user, classifier, done="The settings are saved." if saved else "")


@router.post("")
def save(
    classifier_id: str, form: UserForm, inst: Inst, signed_in: CurrentUser, user: CurrentMember
) -> Response:
    """Change what was changed in the form."""
    require(user, "classifiers:write")
    classifier = get_classifier(inst, user.team_id, classifier_id)
    changes = changed_values(CONTROLS, form)
    try:
        body = checked_body(ClassifierUpdate, changes).given()
        if "split_documents" in body:
            body["split_documents"]["partitionKeySource"] = "custom"
        update_classifier(inst, user.team_id, classifier.id, body, user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        input_error = error_at(error, control_at(CONTROLS, error.path))
        return _page(signed_in, user, classifier, form=form, error=input_error)
    return RedirectResponse(f"/classifiers/{classifier.id}/settings?saved=true", 303)


@router.post("/delete")
def delete(
    classifier_id: str, form: UserForm, inst: Inst, signed_in: CurrentUser, user: CurrentMember
) -> Response:
    """Delete the classifier, whose name was typed."""
    require(user, "classifiers:write")
    classifier = get_classifier(inst, user.team_id, classifier_id)
    if form_value(form, "delete.name").strip() != classifier.name.strip():
        wrong = InputError("Type the name of the classifier as it is shown above", "delete.name")
        return _page(signed_in, user, classifier, error=wrong)
    delete_classifier(inst, user.team_id, classifier.id, user.actor)
    return RedirectResponse("/classifiers", 303)


def _page(
    signed_in: SignedIn,
    user: TeamUser,
    classifier: ClassifierView,
    *,
    done: str = "",
    form: Form | None = None,
    error: InputError | None = None,
) -> Response:
    settings = read_settings(classifier.settings)
    raw = raw_settings(CONTROLS, settings, classifier.name, classifier.description, classifier.is_active)
    typed = typed_values(CONTROLS, form) if form else raw
    return page(
        "classifiers/settings.html.j2",
        signed_in,
        done=done,
        error=error,
        classifier=classifier,
        tab="settings",
        sections=SECTIONS,
        opened=open_sections(SECTIONS, typed, _DEFAULTS, error),
        typed=typed,
        before=form_value(form, SHOWN) if form else json.dumps(raw),
        shown=SHOWN,
        choices={"file_types": file_types(raw)},
        may_audit="audit:read" in user.permissions,
    )


_DEFAULTS = raw_settings(CONTROLS, ParserSettings())
