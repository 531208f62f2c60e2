"""Lists of parsers with counts of documents and folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from docduck.catalog.models import DocumentCount, Folder, Parser
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page, read_page
from docduck.service.parsers.parsers import ParserView, view

_SORTS: Mapping[str, tuple[ColumnElement[Any], ...]] = {
    "createdAt.desc": (Parser.created_at.desc(), Parser.id.desc()),
    "createdAt.asc": (Parser.created_at.asc(), Parser.id.asc()),
    "updatedAt.desc": (Parser.updated_at.desc(), Parser.id.desc()),
    "updatedAt.asc": (Parser.updated_at.asc(), Parser.id.asc()),
    "name.asc": (Parser.name_key.asc(), Parser.id.asc()),
    "name.desc": (Parser.name_key.desc(), Parser.id.desc()),
}
SORTS = tuple(_SORTS)


@dataclass(frozen=True, slots=True)
class ParserCounts:
    """Counts of a parser's contents."""

    documents: int = 0
    folders: int = 0


def find_parsers(
    inst: Installation,
    team_id: str,
    *,
    q: str = "",
    is_active: bool | None = None,
    type: str | None = None,
    only: frozenset[str] | None = None,
    sort: str = "createdAt.desc",
    page: int = 1,
    limit: int = 50,
) -> Page[tuple[ParserView, ParserCounts]]:
    """Return a page of the team's parsers; ``q`` is part of the name, ``only`` limits the ids.

    Raise InputError for an unknown sort.
    """
    if sort not in _SORTS:
        raise InputError(f"Unknown sort: {sort}. Known: {', '.join(_SORTS)}", "sort")
    wanted: list[ColumnElement[bool]] = [Parser.team_id == team_id, Parser.deleted_at.is_(None)]
    if q:
        wanted.append(Parser.name_key.contains(q.casefold(), autoescape=True))
    if is_active is not None:
        wanted.append(Parser.is_active == is_active)
    if type is not None:
        wanted.append(Parser.type == type)
    if only is not None:
        wanted.append(Parser.id.in_(only))
    with inst.catalog.read_session() as session:
        rows = read_page(session, Parser, wanted, _SORTS[sort], page, limit)
        counts = parser_counts(session, [row.id for row in rows.rows])
        return rows.map(lambda row: (view(row), counts[row.id]))


def parser_names(inst: Installation, team_id: str) -> dict[str, str]:
    """Return the names of all the team's parsers by id, in their order."""
    statement = select(Parser.id, Parser.name).where(Parser.team_id == team_id, Parser.deleted_at.is_(None))
    with inst.catalog.read_session() as session:
        return {id_: name for id_, name in session.execute(statement.order_by(*_SORTS["name.asc"]))}


def team_counts(inst: Installation, team_id: str) -> tuple[int, int]:
    """Return the number of the team's parsers, and of the documents in them."""
    mine = (Parser.team_id == team_id, Parser.deleted_at.is_(None))
    with inst.catalog.read_session() as session:
        parsers = session.scalar(select(func.count()).select_from(Parser).where(*mine)) or 0
        counted = select(func.sum(DocumentCount.documents)).join(Parser, Parser.id == DocumentCount.parser_id)
        return parsers, int(session.scalar(counted.where(*mine)) or 0)


def parser_counts(session: Session, parser_ids: Sequence[str]) -> dict[str, ParserCounts]:
    """Return the counts of these parsers."""
    documents = {
        parser_id: int(count)
        for parser_id, count in session.execute(
            select(DocumentCount.parser_id, func.sum(DocumentCount.documents))
            .where(DocumentCount.parser_id.in_(parser_ids))
            .group_by(DocumentCount.parser_id)
        )
    }
    folders = {
        parser_id: count
        for parser_id, count in session.execute(
            select(Folder.parser_id, func.count())
            .where(Folder.parser_id.in_(parser_ids))
            .group_by(Folder.parser_id)
        )
    }
    return {
        parser_id: ParserCounts(documents.get(parser_id, 0), folders.get(parser_id, 0))
        for parser_id in parser_ids
    }
