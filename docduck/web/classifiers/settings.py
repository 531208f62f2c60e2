"""The settings of a classifier, and deleting it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter
from starlette.responses import Response

from docduck.errors import InputError
from docduck.service.classifiers.classifiers import delete_classifier, update_classifier
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.settings_schema import ParserSettings
from docduck.service.schemas.classifiers import ClassifierUpdate
from docduck.web.controls import (
    SHOWN,
    Control,
    Section,
    changed_values,
    control_at,
    controls_of,
    file_types,
    open_sections,
    typed_values,
)
from docduck.web.member import ClassifierVisit, of_classifier
from docduck.web.page import see_other
from docduck.web.page_route import PageRoute
from docduck.web.parser_settings.controls import ACCEPTED_FILE_TYPES, MAIL, SPLIT, raw_settings
from docduck.web.rest_bodies import checked_body, error_at, shown_on
from docduck.web.visit import Form, UserForm, form_value

KEY_SOURCE = "splitDocuments.partitionKeySource"
"""A setting without a control: a classifier has no fields, so that the value is always described in words."""

_KEY = Control(
    "splitDocuments.partitionKey",
    "text",
    "Value that changes",
    "For: where a value changes. Described in words, such as the invoice number at the top right. Pages "
    "without a value belong to the document before.",
)
_GENERAL = (
    *(
        control
        for control in controls_of(ClassifierUpdate)
        if control.path in ("name", "description", "isActive")
    ),
    ACCEPTED_FILE_TYPES,
)

SECTIONS: Sequence[Section] = (
    Section("General", _GENERAL),
    Section(
        "Files with several documents",
        [_KEY if control.path == _KEY.path else control for control in SPLIT if control.path != KEY_SOURCE],
        is_advanced=True,
    ),
    Section("Mails", MAIL, is_advanced=True),
)
CONTROLS: Sequence[Control] = tuple(control for section in SECTIONS for control in section.controls)


router = APIRouter(
    prefix="/classifiers/{classifier_id}/settings", include_in_schema=False, route_class=PageRoute
)

Writer = Annotated[ClassifierVisit, of_classifier("classifiers:write")]


@router.get("")
def show(at: Writer, saved: bool = False) -> Response:
    """Return the settings."""
    return _page(at, done="The settings are saved." if saved else "")


@router.post("")
def save(form: UserForm, at: Writer) -> Response:
    """Change what was changed in the form."""
    changes = changed_values(CONTROLS, form)
    with shown_on(partial(_page, at, form)):
        body = checked_body(ClassifierUpdate, changes).given()
        if "split_documents" in body:
            body["split_documents"]["partitionKeySource"] = "custom"
        update_classifier(*at.of_classifier, body, at.user.actor)
    return at.back("settings", saved="true")


@router.post("/delete")
def delete(form: UserForm, at: Writer) -> Response:
    """Delete the classifier, whose name was typed."""
    if form_value(form, "delete.name").strip() != at.classifier.name.strip():
        return _page(at, error=InputError("Type the name of the classifier as it is shown above", _NAME))
    delete_classifier(*at.of_classifier, at.user.actor)
    return see_other("/classifiers")


def _page(
    at: ClassifierVisit, form: Form | None = None, error: InputError | None = None, done: str = ""
) -> Response:
    classifier = at.classifier
    settings = read_settings(classifier.settings)
    raw = raw_settings(CONTROLS, settings, classifier.name, classifier.description, classifier.is_active)
    typed = typed_values(CONTROLS, form) if form else raw
    if error is not None and error.path != _NAME:
        error = error_at(error, control_at(CONTROLS, error.path))
    return at.page(
        "classifiers/settings.html.j2",
        done=done,
        error=error,
        sections=SECTIONS,
        opened=open_sections(SECTIONS, typed, _DEFAULTS, error),
        typed=typed,
        before=form_value(form, SHOWN) if form else json.dumps(raw),
        shown=SHOWN,
        choices={"file_types": file_types(raw)},
        may_audit=at.may("audit:read"),
    )


_NAME = "delete.name"
_DEFAULTS = raw_settings(CONTROLS, ParserSettings())
