"""The settings of a classifier, and deleting it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from starlette.responses import Response

from docduck.errors import InputError
from docduck.extraction.models import usable_models
from docduck.service.classifiers.classifiers import delete_classifier, update_classifier
from docduck.service.schemas.classifiers import ClassifierUpdate
from docduck.web.controls import Section, controls_of
from docduck.web.member import ClassifierVisit, of_classifier
from docduck.web.page import see_other
from docduck.web.page_route import PageRouter
from docduck.web.parser_settings.controls import PROPERTIES, SettingsForm, controls_for
from docduck.web.rest_bodies import checked_body, shown_on
from docduck.web.visit import Form, UserForm, form_value

router = PageRouter("/classifiers/{classifier_id}/settings")

Writer = Annotated[ClassifierVisit, of_classifier("classifiers:write")]

_NAME = "delete.name"
_KEY = "splitDocuments.partitionKey"
_KEY_NOTE = (
    "For: where a value changes. Described in words, such as the invoice number at the top right. Pages "
    "without a value belong to the document before."
)
FORM = SettingsForm(
    Section(
        "General",
        [
            *(control for control in controls_of(ClassifierUpdate) if control.path in PROPERTIES),
            *controls_for("acceptedFileTypes", "model"),
        ],
    ),
    # A classifier has no fields, so that the value that changes is always described in words.
    Section(
        "Files with several documents",
        [
            replace(control, note=_KEY_NOTE) if control.path == _KEY else control
            for control in controls_for("splitDocuments")
            if control.path != "splitDocuments.partitionKeySource"
        ],
        is_advanced=True,
    ),
    Section("Mails", controls_for("emailParsing"), is_advanced=True),
)


@router.get("")
def show(at: Writer, saved: bool = False) -> Response:
    """Return the settings."""
    return _page(at, done="The settings are saved." if saved else "")


@router.post("")
def save(form: UserForm, at: Writer) -> Response:
    """Change what was changed in the form."""
    changes = FORM.changes(form)
    with shown_on(lambda error: _page(at, form, FORM.placed(error))):
        body = checked_body(ClassifierUpdate, changes).sent_values()
        if "split_documents" in body:
            body["split_documents"]["partitionKeySource"] = "custom"
        update_classifier(*at.of_classifier, body, at.user.actor)
    return at.back("settings", saved="true")


@router.post("/delete")
def delete(form: UserForm, at: Writer) -> Response:
    """Delete the classifier, whose name was typed."""
    if form_value(form, _NAME).strip() != at.classifier.name.strip():
        return _page(at, error=InputError("Type the name of the classifier as it is shown above", _NAME))
    delete_classifier(*at.of_classifier, at.user.actor)
    return see_other("/classifiers")


def _page(
    at: ClassifierVisit, form: Form | None = None, error: InputError | None = None, done: str = ""
) -> Response:
    return at.page(
        "classifiers/settings.html.j2",
        done=done,
        may_audit=at.may("audit:read"),
        **FORM.shown_settings(at.classifier, form, error, usable_models(at.inst.settings)),
    )
