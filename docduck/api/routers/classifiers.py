"""Classifiers of a team, and their documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import Field

from docduck.api.request.current_caller import Call, CurrentCall
from docduck.api.request.params import (
    ClassifierId,
    DocumentId,
    Limit,
    NamedList,
    PageNumber,
    QueryParameters,
)
from docduck.api.route import ResourceRouter, may_use, needs, refuse_parser
from docduck.api.schemas.base import Done, PageResponse
from docduck.api.schemas.classifiers import (
    ClassifierResponse,
    RouteBody,
)
from docduck.api.schemas.documents import ExternalId
from docduck.service.classifiers import classifiers as service
from docduck.service.classifiers.classifier_listing import counts_of, find_classifiers
from docduck.service.classifiers.manual_routing import route_document
from docduck.service.classifiers.routed_documents import (
    ClassifiedDocumentView,
    RoutedDocumentQuery,
    list_routed_documents,
)
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Sort
from docduck.service.core.property_types import INCLUSIVE_END, LowerBound, UpperBound, Uuid
from docduck.service.schemas.classifiers import ClassifierUpdate, NewClassifier

router = ResourceRouter("/classifiers", "Classifiers", read="classifiers:read", write="classifiers:write")


class RoutedDocumentList(QueryParameters):
    """The parameters of a list of a classifier's documents."""

    q: Annotated[str, Field(max_length=255)] | None = Field(
        None, description="Part of the name or external id"
    )
    status: Literal["pending", "routed", "skipped", "failed"] | None = Field(
        None, description="The status of the routing"
    )
    target_parser_id: Uuid | None = Field(None, description="Routed to this parser")
    external_id: ExternalId | None = Field(None, description="Exactly this")
    created_from: LowerBound | None = Field(None, description="Inclusive")
    created_to: UpperBound | None = Field(None, description=INCLUSIVE_END)
    sort: Sort = "createdAt.desc"
    page: PageNumber = 1
    limit: Limit = 50


@router.get("", summary="List classifiers")
def list_(call: CurrentCall, query: Annotated[NamedList, Query()]) -> PageResponse[ClassifierResponse]:
    """Return the team's classifiers; a key limited to parsers sees those that route to these alone."""
    rows = find_classifiers(*call.team, only=call.caller.parser_ids, **query.sent_values())
    return PageResponse[ClassifierResponse].of_page(rows.map(lambda row: ClassifierResponse.of_view(*row)))


@router.post("", summary="Create a classifier", status_code=201)
def create(body: NewClassifier, call: CurrentCall) -> ClassifierResponse:
    """Create a classifier with at least one rule.

    `routing` is `{"rules": [{"label": "Invoice", "targetParserId": "…"}]}`.
    """
    _refuse_targets(call, body.routing)
    made = service.create_classifier(*call.team, body.sent_values(), call.actor)
    return _response(call.inst, made)


@router.get("/{classifierId}", summary="Get a classifier")
def get(classifierId: ClassifierId, call: CurrentCall) -> ClassifierResponse:
    """Return a classifier."""
    return _response(call.inst, service.get_classifier(*call.team, classifierId))


@router.patch("/{classifierId}", summary="Change a classifier")
def update(classifierId: ClassifierId, body: ClassifierUpdate, call: CurrentCall) -> ClassifierResponse:
    """Change what is sent; objects are merged key by key, and rules are replaced."""
    changes = body.sent_values()
    _refuse_targets(call, changes.get("routing", {}))
    changed = service.update_classifier(*call.team, classifierId, changes, call.actor)
    return _response(call.inst, changed)


@router.delete("/{classifierId}", summary="Delete a classifier")
def delete(classifierId: ClassifierId, call: CurrentCall) -> Done:
    """Delete a classifier and its documents that are in no parser; routed ones stay in their parsers."""
    gone = service.delete_classifier(*call.team, classifierId, call.actor)
    return Done(success=True, id=gone)


@router.get("/{classifierId}/documents", summary="List a classifier's documents")
def documents(
    classifierId: ClassifierId, call: CurrentCall, query: Annotated[RoutedDocumentList, Query()]
) -> PageResponse[ClassifiedDocumentView]:
    """Return a page of the classifier's documents with the results of their routing."""
    routed = RoutedDocumentQuery(**query.sent_values(), only=call.caller.parser_ids)
    return PageResponse[ClassifiedDocumentView].of_page(
        list_routed_documents(*call.team, classifierId, routed)
    )


@router.post(
    "/{classifierId}/documents/{documentId}/route",
    summary="Route a document",
    openapi_extra=needs("documents:write"),
)
def route(
    classifierId: ClassifierId, documentId: DocumentId, body: RouteBody, call: CurrentCall
) -> ClassifiedDocumentView:
    """Move a routed, skipped or failed document to the right target parser, where it is read again.

    The classifier remembers it as an example.
    """
    return route_document(*call.team, classifierId, documentId, body.target_parser_id, call.actor)


def _response(inst: Installation, view: service.ClassifierView) -> ClassifierResponse:
    return ClassifierResponse.of_view(view, counts_of(inst, view.id))


def _refuse_targets(call: Call, routing: Mapping[str, Any]) -> None:
    """Raise Forbidden if a limited key names the target parsers of others, NotFound for unknown ones.

    Settings of a wrong shape are left to the service.
    """
    rules = routing.get("rules")
    named = [*rules, routing.get("fallback")] if isinstance(rules, list) else [routing.get("fallback")]
    for rule in named:
        target = rule.get("targetParserId") if isinstance(rule, dict) else None
        if isinstance(target, str) and not may_use(call.caller, target):
            refuse_parser(*call.team, target)
