"""The documents of a classifier, with the results of their routing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field
from sqlalchemy import ColumnElement, Row, Select, and_, func, or_, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.database import QueryTimedOut
from docduck.catalog.models import Document, Parser
from docduck.catalog.models.documents import ROUTING_STATUSES
from docduck.errors import InputError
from docduck.service.classifiers.classifiers import find
from docduck.service.conditions.work_limits import SEARCH_SECONDS
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page, order_of
from docduck.service.core.schema import UtcTime, ViewPart
from docduck.statuses import Status

UNDECIDED = ("skipped", "failed")
_DIGITS = 4
"""Of a confidence."""


class DocumentRouting(ViewPart):
    """The result of a document's routing."""

    status: Literal["pending", "routed", "skipped", "failed"]
    category: str | None = Field(description="The label of the rule; `fallback` if none fits")
    target_parser_id: str | None
    target_parser_name: str | None
    target_document_id: str | None = Field(description="The document's id, once it is in the target parser")
    confidence: float | None
    reasoning: str | None
    error: str | None


class ClassifiedDocumentView(ViewPart):
    """A document of a classifier, with the result of its routing."""

    id: str
    parser_id: str | None = Field(exclude=True)
    name: str
    external_id: str | None
    custom: dict[str, Any] | None
    source: str = Field(examples=["api"])
    content_type: str = Field(examples=["application/pdf"])
    page_count: int | None
    created_at: UtcTime
    updated_at: UtcTime
    status: Status
    error: str | None = Field(exclude=True)
    routing: DocumentRouting


@dataclass(frozen=True, slots=True)
class RoutedDocumentQuery:
    """What to list; ``q`` is part of the name or external id, bounds are inclusive.

    With ``only``, documents in other parsers are left out. ``undecided`` are those that were skipped or
    failed, so that a person has to decide.
    """

    q: str | None = None
    status: str | None = None
    undecided: bool = False
    target_parser_id: str | None = None
    external_id: str | None = None
    created_from: dt.date | None = None
    created_to: dt.date | None = None
    sort: str = "createdAt.desc"
    page: int = 1
    limit: int = 50
    only: frozenset[str] | None = None


def list_routed_documents(
    inst: Installation, team_id: str, classifier_ref: str, query: RoutedDocumentQuery
) -> Page[ClassifiedDocumentView]:
    """Return a page of a classifier's documents, without those in deleted parsers.

    Raise NotFound for the classifier, InputError for an unknown status or sort, or if it takes too long.
    """
    order = order_of(Document, query.sort)
    if query.status is not None and query.status not in ROUTING_STATUSES:
        raise InputError(f"Unknown status: {query.status}. Known: {', '.join(ROUTING_STATUSES)}", "status")
    try:
        with inst.catalog.read_session(SEARCH_SECONDS) as session:
            documents = _documents(team_id).where(
                Document.classifier_id == find(session, team_id, classifier_ref).id, *_conditions(query)
            )
            total = session.scalar(select(func.count()).select_from(documents.subquery())) or 0
            start = (query.page - 1) * query.limit
            rows = session.execute(documents.order_by(*order).offset(start).limit(query.limit))
            return Page([_view(row) for row in rows], query.page, query.limit, total)
    except QueryTimedOut as error:
        raise InputError(
            "This list takes too long; narrow it with a further filter", "q", code="search_too_long"
        ) from error


def routed_documents(
    inst: Installation, team_id: str, document_ids: Sequence[str]
) -> dict[str, ClassifiedDocumentView]:
    """Return documents of classifiers by id, without those that no longer exist."""
    with inst.catalog.read_session() as session:
        return routed_documents_in(session, team_id, document_ids)


def routed_documents_in(
    session: Session, team_id: str, document_ids: Sequence[str]
) -> dict[str, ClassifiedDocumentView]:
    """Return documents of classifiers by id, in a session."""
    mine = (Document.id.in_(document_ids), Document.classifier_id.is_not(None))
    return {row.Document.id: _view(row) for row in session.execute(_documents(team_id).where(*mine))}


def _documents(team_id: str) -> Select[Document, str]:
    return (
        select(Document, Parser.name.label("parser_name"))
        .outerjoin(Parser, Parser.id == Document.parser_id)
        .where(Document.team_id == team_id, Parser.deleted_at.is_(None))
    )


def _conditions(query: RoutedDocumentQuery) -> list[ColumnElement[bool]]:
    elements: list[ColumnElement[bool]] = []
    if query.q:
        in_name = Document.name_key.contains(query.q.casefold(), autoescape=True)
        elements.append(or_(in_name, Document.external_id.icontains(query.q, autoescape=True)))
    if query.status is not None:
        elements.append(Document.routing_status == query.status)
    if query.undecided:
        elements.append(Document.routing_status.in_(UNDECIDED))
    if query.target_parser_id is not None:
        elements.append(Document.parser_id == query.target_parser_id.lower())
    if query.external_id is not None:
        elements.append(Document.external_id == query.external_id)
    if query.created_from is not None:
        elements.append(Document.created_at >= clock.span(query.created_from)[0])
    if query.created_to is not None:
        elements.append(Document.created_at <= clock.span(query.created_to)[1])
    if query.only is not None:
        elements.append(or_(Document.parser_id.is_(None), Document.parser_id.in_(query.only)))
    return [and_(*elements)] if elements else []


def _view(row: Row[Document, str]) -> ClassifiedDocumentView:
    document, parser_name = row
    stored = document.routing or {}
    is_routed = document.parser_id is not None
    routing = DocumentRouting.of(
        document,
        status=document.routing_status or "pending",
        category=stored.get("category"),
        target_parser_id=document.parser_id or stored.get("targetParserId"),
        target_parser_name=parser_name or stored.get("targetParserName"),
        target_document_id=document.id if is_routed else None,
        confidence=stored.get("confidence"),
        reasoning=stored.get("reasoning"),
        error=stored.get("error"),
    )
    return ClassifiedDocumentView.of(document, status=Status(document.status), routing=routing)


def routing_result(
    category: str | None,
    target: Parser | None,
    *,
    confidence: float | None = None,
    reasoning: str | None = None,
    error: str | None = None,
) -> dict[str, Any]:
    """Return the label that a document has and the parser that it goes to, with the reasons or the error."""
    return {
        "category": category,
        "targetParserId": target.id if target else None,
        "targetParserName": target.name if target else None,
        "confidence": None if confidence is None else round(confidence, _DIGITS),
        "reasoning": reasoning,
        "error": error,
    }
