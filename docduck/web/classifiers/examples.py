"""The examples of a classifier's labels."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.service.classifiers.classifiers import get_classifier
from docduck.service.classifiers.example_changes import add_examples, list_examples, remove_example
from docduck.service.classifiers.examples import EXAMPLES_PER_LABEL
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parser_listing import parser_names
from docduck.web.page import page, page_link
from docduck.web.page_route import PageRoute
from docduck.web.visit import CurrentMember, CurrentUser, UserForm, form_value

router = APIRouter(
    prefix="/classifiers/{classifier_id}/examples", include_in_schema=False, route_class=PageRoute
)

_OFFERED = 30


@router.get("")
def show(
    classifier_id: str,
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    rule: Annotated[str, Query(max_length=36)] = "",
    q: Annotated[str, Query(max_length=255)] = "",
) -> Response:
    """Return the examples of each rule; for one rule, with documents of its parser to choose from."""
    require(user, "classifiers:read")
    classifier = get_classifier(inst, user.team_id, classifier_id)
    examples = list_examples(inst, user.team_id, classifier.id)
    chosen = next((each for each in classifier.rules if each.id == rule), None)
    known = {example.document_id for example in examples if chosen and example.rule_id == chosen.id}
    offered = []
    if chosen is not None:
        listed = list_documents(inst, user.team_id, chosen.target_parser_id, q=q or None, limit=_OFFERED)
        offered = [row for row in listed.rows if row.id not in known]
    return page(
        "classifiers/examples.html.j2",
        signed_in,
        classifier=classifier,
        tab="examples",
        examples=examples,
        chosen=chosen,
        offered=offered,
        q=q,
        most=EXAMPLES_PER_LABEL,
        names=parser_names(inst, user.team_id),
        may_write="classifiers:write" in user.permissions,
    )


@router.post("")
def add(classifier_id: str, form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Add documents as examples of a rule's label."""
    require(user, "classifiers:write")
    classifier = get_classifier(inst, user.team_id, classifier_id)
    rule = form_value(form, "rule")
    add_examples(inst, user.team_id, classifier.id, rule, form.get("document", []), user.actor)
    return RedirectResponse(page_link(f"/classifiers/{classifier.id}/examples", rule=rule), 303)


@router.post("/{document_id}/remove")
def remove(classifier_id: str, document_id: str, form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Forget an example; its document stays."""
    require(user, "classifiers:write")
    remove_example(inst, user.team_id, classifier_id, document_id, user.actor)
    return RedirectResponse(f"/classifiers/{classifier_id}/examples", 303)
