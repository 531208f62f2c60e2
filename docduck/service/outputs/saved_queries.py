"""Saved queries of a team."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import SavedQuery, Team
from docduck.errors import InputError, NotFound
from docduck.ids import is_uuid, new_id
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.property_types import checked_name
from docduck.warehouse.query_order import LONGEST_QUERY

MAX_SAVED_QUERIES = 200
"""Of a team."""


@dataclass(frozen=True, slots=True)
class SavedQueryView:
    """A saved query."""

    id: str
    name: str
    sql: str


def list_saved_queries(inst: Installation, team_id: str) -> list[SavedQueryView]:
    """Return the team's saved queries, by name."""
    with inst.catalog.read_session() as session:
        rows = session.scalars(select(SavedQuery).where(SavedQuery.team_id == team_id))
        return sorted(map(_view, rows), key=lambda view: (view.name.casefold(), view.name))


def get_saved_query(inst: Installation, team_id: str, query_id: str) -> SavedQueryView:
    """Return a saved query; raise NotFound."""
    with inst.catalog.read_session() as session:
        return _view(_find(session, team_id, query_id))


def save_query(inst: Installation, team_id: str, name: str, sql: str, actor: str) -> SavedQueryView:
    """Save a query, or replace the one of this name; raise InputError."""
    name = checked_name(name)
    if not sql.strip() or len(sql) > LONGEST_QUERY or "\0" in sql:
        raise InputError(f"A query has 1 to {LONGEST_QUERY:,} characters, none of them NUL", "sql")
    with inst.catalog.transaction() as session:
        # The team's row is locked, so that two requests can't create the same name.
        session.execute(select(Team.id).where(Team.id == team_id).with_for_update())
        mine = select(SavedQuery).where(SavedQuery.team_id == team_id)
        row = session.scalar(mine.where(SavedQuery.name == name))
        action = "query.updated"
        if row is None:
            _check_count(session, team_id)
            row = SavedQuery(id=new_id(), team_id=team_id, name=name)
            action = "query.created"
            session.add(row)
        row.sql, row.updated_at = sql, clock.now()
        audit.record(session, team_id, actor, action, "query", [(row.id, {"name": name})])
        session.flush()
        return _view(row)


def delete_saved_query(inst: Installation, team_id: str, query_id: str, actor: str) -> None:
    """Delete a saved query; raise NotFound."""
    with inst.catalog.transaction() as session:
        row = _find(session, team_id, query_id)
        session.delete(row)
        audit.record(session, team_id, actor, "query.deleted", "query", [(row.id, {"name": row.name})])


def _check_count(session: Session, team_id: str) -> None:
    mine = select(func.count()).select_from(SavedQuery).where(SavedQuery.team_id == team_id)
    if (session.scalar(mine) or 0) >= MAX_SAVED_QUERIES:
        raise InputError(f"A team may have {MAX_SAVED_QUERIES} saved queries")


def _find(session: Session, team_id: str, query_id: str) -> SavedQuery:
    mine = select(SavedQuery).where(SavedQuery.team_id == team_id, SavedQuery.id == query_id.lower())
    row = session.scalar(mine) if is_uuid(query_id) else None
    if row is None:
        raise NotFound("Saved query not found", "queryId", query_id)
    return row


def _view(row: SavedQuery) -> SavedQueryView:
    return SavedQueryView(row.id, row.name, row.sql)
