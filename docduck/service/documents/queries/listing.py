"""Lists of a team's documents across parsers."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, or_, select
from sqlalchemy.orm import InstrumentedAttribute

from docduck.catalog.models import Document
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import document_rows
from docduck.service.documents.queries.finding import ResultPage, find_documents
from docduck.service.parsers.parsers import get_parser
from docduck.service.search.query import SORTS, DocumentQuery
from docduck.statuses import Status

_KEYS: dict[str, InstrumentedAttribute[Any]] = {
    "createdAt": Document.created_at,
    "updatedAt": Document.updated_at,
    "name": Document.name_key,
}


def list_documents(
    inst: Installation,
    team_id: str,
    parser_ref: str | None = None,
    *,
    status: str | None = None,
    q: str | None = None,
    sort: str = "createdAt.desc",
    page: int = 1,
    limit: int = 50,
) -> ResultPage:
    """Return a page of the team's documents; ``q`` is part of the name or external id.

    Raise InputError for an invalid status, sort, page or limit, NotFound for the parser.
    """
    if parser_ref is not None:
        parser_id = get_parser(inst, team_id, parser_ref).id
        query = DocumentQuery(q=q, status=status, sort=sort, page=page, limit=limit)
        return find_documents(inst, team_id, parser_id, query)
    if status is not None and status not in set(Status):
        raise InputError(f"Unknown status: {status}. Known: {', '.join(Status)}", "status")
    if sort not in SORTS:
        raise InputError(f"Unknown sort: {sort}. Known: {', '.join(SORTS)}", "sort")
    if page < 1 or not 1 <= limit <= 100:
        raise InputError("page must be at least 1, and limit between 1 and 100", "page")
    statement = select(Document).where(Document.team_id == team_id)
    if status is not None:
        statement = statement.where(Document.status == status)
    if q:
        in_name = Document.name_key.contains(q.casefold(), autoescape=True)
        statement = statement.where(or_(in_name, Document.external_id.icontains(q, autoescape=True)))
    key, _, direction = sort.partition(".")
    order = [_KEYS[key], Document.id]
    ordered = statement.order_by(*(one.desc() if direction == "desc" else one.asc() for one in order))
    with inst.catalog.read_session() as session:
        total = session.scalar(statement.with_only_columns(func.count())) or 0
        rows = session.scalars(ordered.offset((page - 1) * limit).limit(limit))
        return ResultPage(document_rows(session, rows.all()), page, limit, total)
