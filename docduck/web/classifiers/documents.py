"""The documents of a classifier: what went where and why, and routing them by hand."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from docduck.catalog.models.documents import ROUTING_STATUSES
from docduck.errors import InputError, NotFound
from docduck.service.classifiers.classifier_listing import counts_of
from docduck.service.classifiers.manual_routing import route_document
from docduck.service.classifiers.routed_documents import RoutedDocumentQuery, list_routed_documents
from docduck.service.parsers.parser_listing import parser_names
from docduck.web.member import ClassifierVisit, of_classifier
from docduck.web.page import PageNumber, page_link
from docduck.web.page_route import PageRouter
from docduck.web.uploads.router import UPLOAD_LIMITS
from docduck.web.visit import UserForm, form_value

router = PageRouter("/classifiers/{classifier_id}")

_LIMIT = 50
_UNDECIDED = "undecided"


@router.get("/documents")
def list_(
    at: Annotated[ClassifierVisit, of_classifier("classifiers:read")],
    status: Annotated[str, Query(max_length=64)] = "",
    q: Annotated[str, Query(max_length=255)] = "",
    number: PageNumber = 1,
    routed: Annotated[int | None, Query(ge=0)] = None,
) -> Response:
    """Return a page of the classifier's documents; ``routed`` is how many were routed by hand just now."""
    done = "" if routed is None else f"Documents that were routed, and are read again: {routed}."
    return _page(at, status, q, number, done=done)


@router.post("/route")
def route(form: UserForm, at: Annotated[ClassifierVisit, of_classifier("documents:write")]) -> Response:
    """Route the chosen documents to a parser; the classifier learns from them."""
    ids, target = form.get("document", []), form_value(form, "target")
    if not 1 <= len(ids) <= _LIMIT:
        raise InputError(f"Choose 1 to {_LIMIT} documents")
    if target not in at.classifier.target_ids:
        raise InputError("Choose the parser to which the documents belong")
    refused: list[str] = []
    for document_id in ids:
        try:
            route_document(*at.of_classifier, document_id, target, at.user.actor)
        except (InputError, NotFound) as error:
            refused.append(error.message)
    done = len(ids) - len(refused)
    status, q = form_value(form, "status"), form_value(form, "q")
    if refused:
        input_error = InputError(f"Routed: {done}. Not routed: {len(refused)}. {refused[0]}")
        return _page(at, status, q, error=input_error)
    return at.back("documents", status=status, q=q, routed=done)


def _page(
    at: ClassifierVisit,
    status: str,
    q: str,
    number: int = 1,
    *,
    done: str = "",
    error: InputError | None = None,
) -> Response:
    is_undecided = status == _UNDECIDED
    query = RoutedDocumentQuery(
        q=q or None,
        status=None if is_undecided else status or None,
        undecided=is_undecided,
        page=number,
        limit=_LIMIT,
    )
    names = parser_names(*at.team)
    return at.page(
        "classifiers/documents.html.j2",
        done=done,
        error=error,
        listed=list_routed_documents(*at.of_classifier, query),
        link=partial(page_link, f"/classifiers/{at.classifier.id}/documents", status=status, q=q),
        routing=status,
        q=q,
        statuses=ROUTING_STATUSES,
        counts=counts_of(at.inst, at.classifier.id),
        targets={name: names[name] for name in names if name in at.classifier.target_ids},
        may_write=at.may("documents:write"),
        limits=UPLOAD_LIMITS,
    )
