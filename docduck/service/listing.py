"""Lists of documents: a page of those that fit, in a given order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select

from docduck.catalog.models import Document
from docduck.errors import InputError
from docduck.service.document_views import DocumentRow, rows_of
from docduck.service.installation import Installation
from docduck.service.parsers import find
from docduck.service.states import Status

_SORTS: dict[str, tuple[ColumnElement[Any], ...]] = {
    "createdAt.desc": (Document.created_at.desc(), Document.id.desc()),
    "createdAt.asc": (Document.created_at.asc(), Document.id.asc()),
    "updatedAt.desc": (Document.updated_at.desc(), Document.id.desc()),
    "updatedAt.asc": (Document.updated_at.asc(), Document.id.asc()),
    "name.asc": (Document.name.asc(), Document.id.asc()),
    "name.desc": (Document.name.desc(), Document.id.desc()),
}


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list: ``page`` from 1, ``total`` rows in all."""

    rows: Sequence[DocumentRow]
    page: int
    limit: int
    total: int


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
) -> Page:
    """A page of the team's documents; ``q`` is part of the name or of the external id.

    Raises InputError for a bad status, sort, page or limit.
    """
    if status is not None and status not in set(Status):
        raise InputError(f"Unknown status: {status}. Known: {', '.join(Status)}", "status")
    if sort not in _SORTS:
        raise InputError(f"Unknown sort: {sort}. Known: {', '.join(_SORTS)}", "sort")
    if page < 1 or not 1 <= limit <= 100:
        raise InputError("page must be at least 1, and limit between 1 and 100", "page")
    with inst.catalog.reading() as session:
        statement = select(Document).where(Document.team_id == team_id)
        if parser_ref is not None:
            statement = statement.where(Document.parser_id == find(session, team_id, parser_ref).id)
        if status is not None:
            statement = statement.where(Document.status == status)
        if q:
            statement = statement.where(
                or_(
                    Document.name.icontains(q, autoescape=True),
                    Document.external_id.icontains(q, autoescape=True),
                )
            )
        total = session.scalar(select(func.count()).select_from(statement.subquery())) or 0
        rows = session.scalars(statement.order_by(*_SORTS[sort]).offset((page - 1) * limit).limit(limit))
        return Page(rows_of(session, rows.all()), page, limit, total)
