"""The examples of a classifier's labels."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from docduck.service.classifiers.example_changes import add_examples, list_examples, remove_example
from docduck.service.classifiers.examples import EXAMPLES_PER_LABEL
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parser_listing import parser_names
from docduck.web.member import ClassifierVisit, of_classifier
from docduck.web.page_route import PageRouter
from docduck.web.visit import UserForm, form_value

router = PageRouter("/classifiers/{classifier_id}/examples")

_OFFERED = 30

Writer = Annotated[ClassifierVisit, of_classifier("classifiers:write")]


@router.get("")
def show(
    at: Annotated[ClassifierVisit, of_classifier("classifiers:read")],
    rule: Annotated[str, Query(max_length=36)] = "",
    q: Annotated[str, Query(max_length=255)] = "",
) -> Response:
    """Return the examples of each rule; for one rule, with documents of its parser to choose from."""
    examples = list_examples(*at.of_classifier)
    chosen = next((each for each in at.classifier.rules if each.id == rule), None)
    known = {example.document_id for example in examples if chosen and example.rule_id == chosen.id}
    offered = []
    if chosen is not None:
        listed = list_documents(*at.team, chosen.target_parser_id, q=q or None, limit=_OFFERED)
        offered = [row for row in listed.rows if row.id not in known]
    return at.page(
        "classifiers/examples.html.j2",
        examples=examples,
        chosen=chosen,
        offered=offered,
        q=q,
        most=EXAMPLES_PER_LABEL,
        names=parser_names(*at.team),
        may_write=at.may("classifiers:write"),
    )


@router.post("")
def add(form: UserForm, at: Writer) -> Response:
    """Add documents as examples of a rule's label."""
    rule = form_value(form, "rule")
    add_examples(*at.of_classifier, rule, form.get("document", []), at.user.actor)
    return at.back("examples", rule=rule)


@router.post("/{document_id}/remove")
def remove(document_id: str, form: UserForm, at: Writer) -> Response:
    """Forget an example; its document stays."""
    remove_example(*at.of_classifier, document_id, at.user.actor)
    return at.back("examples")
