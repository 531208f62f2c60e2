"""Lists of parsers with counts of documents and folders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from pydantic import Field
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from docduck.catalog.models import DocumentCount, Folder, Parser
from docduck.service.core.installation import Installation
from docduck.service.core.named_rows import NamedQuery, live, named_page
from docduck.service.core.pages import Page, order_of
from docduck.service.core.schema import ViewPart
from docduck.service.parsers.parsers import ParserView, view


class ParserCounts(ViewPart):
    """The parser's counts."""

    documents: int = Field(serialization_alias="totalDocuments")
    folders: int


def find_parsers(
    inst: Installation,
    team_id: str,
    *,
    type: str | None = None,
    only: frozenset[str] | None = None,
    **query: Unpack[NamedQuery],
) -> Page[tuple[ParserView, ParserCounts]]:
    """Return a page of the team's parsers; ``only`` limits the ids.

    Raise InputError for an unknown sort.
    """
    further: list[ColumnElement[bool]] = [] if type is None else [Parser.type == type]
    if only is not None:
        further.append(Parser.id.in_(only))
    with inst.catalog.read_session() as session:
        rows = named_page(session, Parser, team_id, further, **query)
        counts = parser_counts(session, [row.id for row in rows.rows])
        return rows.map(lambda row: (view(row), counts[row.id]))


def parser_names(inst: Installation, team_id: str) -> dict[str, str]:
    """Return the names of all the team's parsers by id, in their order."""
    statement = select(Parser.id, Parser.name).where(*live(Parser, team_id))
    with inst.catalog.read_session() as session:
        rows = session.execute(statement.order_by(*order_of(Parser, "name.asc")))
        return {parser_id: name for parser_id, name in rows}


def team_counts(inst: Installation, team_id: str) -> tuple[int, int]:
    """Return the number of the team's parsers, and of the documents in them."""
    mine = live(Parser, team_id)
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
        parser_id: ParserCounts(documents=documents.get(parser_id, 0), folders=folders.get(parser_id, 0))
        for parser_id in parser_ids
    }
