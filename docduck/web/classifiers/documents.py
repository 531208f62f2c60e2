"""The documents of a classifier: what went where and why, and routing them by hand."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.catalog.models.documents import ROUTING_STATUSES
from docduck.errors import InputError, NotFound
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.classifiers.classifier_listing import counts_of
from docduck.service.classifiers.classifiers import ClassifierView, get_classifier
from docduck.service.classifiers.manual_routing import route_document
from docduck.service.classifiers.routed_documents import RoutedDocumentQuery, list_routed_documents
from docduck.service.core.installation import Installation
from docduck.service.parsers.parser_listing import parser_names
from docduck.web.page import last_page, page, page_link
from docduck.web.page_route import PageRoute
from docduck.web.uploads.router import UPLOAD_LIMITS
from docduck.web.visit import CurrentMember, CurrentUser, UserForm, form_value

router = APIRouter(prefix="/classifiers/{classifier_id}", include_in_schema=False, route_class=PageRoute)

_LIMIT = 50
_UNDECIDED = "undecided"

Text = Annotated[str, Query(max_length=255)]


@router.get("/documents")
def list_(
    classifier_id: str,
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    status: Annotated[str, Query(max_length=64)] = "",
    q: Text = "",
    number: Annotated[int, Query(alias="page", ge=1, le=1_000_000)] = 1,
    routed: Annotated[int | None, Query(ge=0)] = None,
) -> Response:
    """Return a page of the classifier's documents; ``routed`` is how many were routed by hand just now."""
    require(user, "classifiers:read")
    classifier = get_classifier(inst, user.team_id, classifier_id)
    done = "" if routed is None else f"Documents that were routed, and are read again: {routed}."
    return _page(inst, signed_in, user, classifier, status=status, q=q, number=number, done=done)


@router.post("/route")
def route(
    classifier_id: str, form: UserForm, inst: Inst, signed_in: CurrentUser, user: CurrentMember
) -> Response:
    """Route the chosen documents to a parser; the classifier learns from them."""
    require(user, "documents:write")
    classifier = get_classifier(inst, user.team_id, classifier_id)
    ids, target = form.get("document", []), form_value(form, "target")
    if not 1 <= len(ids) <= _LIMIT:
        raise InputError(f"Choose 1 to {_LIMIT} documents")
    if target not in classifier.target_ids:
        raise InputError("Choose the parser to which the documents belong")
    refused: list[str] = []
    for document_id in ids:
        try:
            route_document(inst, user.team_id, classifier.id, document_id, target, user.actor)
        except (InputError, NotFound) as error:
            refused.append(error.message)
    done = len(ids) - len(refused)
    status, q = form_value(form, "status"), form_value(form, "q")
    if refused:
        input_error = InputError(f"Routed: {done}. Not routed: {len(refused)}. {refused[0]}")
        return _page(inst, signed_in, user, classifier, status=status, q=q, error=input_error)
    link = page_link(f"/classifiers/{classifier.id}/documents", status=status, q=q, routed=done)
    return RedirectResponse(link, 303)


def _page(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    classifier: ClassifierView,
    *,
    status: str = "",
    q: str = "",
    number: int = 1,
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
    rows = list_routed_documents(inst, user.team_id, classifier.id, query)
    names = parser_names(inst, user.team_id)
    return page(
        "classifiers/documents.html.j2",
        signed_in,
        done=done,
        error=error,
        classifier=classifier,
        tab="documents",
        rows=rows.rows,
        total=rows.total,
        number=number,
        last=last_page(rows),
        link=partial(page_link, f"/classifiers/{classifier.id}/documents", status=status, q=q),
        wanted=status,
        q=q,
        statuses=(_UNDECIDED, *ROUTING_STATUSES),
        counts=counts_of(inst, classifier.id),
        targets={name: names[name] for name in names if name in classifier.target_ids},
        may_write="documents:write" in user.permissions,
        limits=UPLOAD_LIMITS,
    )
