"""Saved views of the list of documents: the query of its address, with a name.

Callers check that only who may write documents changes the team's.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Select, func, or_, select

from docduck.catalog.models import SavedView, Team
from docduck.errors import InputError, NotFound
from docduck.ids import is_uuid, new_id
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.property_types import checked_name

MOST_VIEWS = 200
"""Of a team, and as many of each member."""

_LONGEST_QUERY = 4000


@dataclass(frozen=True, slots=True)
class ViewOfList:
    """A saved view; ``is_of_team`` if all members see it."""

    id: str
    name: str
    query: str
    is_of_team: bool


def list_views(inst: Installation, team_id: str, user_id: str) -> list[ViewOfList]:
    """Return the views that a member of the team sees, by name."""
    with inst.catalog.read_session() as session:
        views = [
            ViewOfList(row.id, row.name, row.query, row.user_id is None)
            for row in session.scalars(_visible(team_id, user_id))
        ]
    return sorted(views, key=lambda view: (view.name.casefold(), view.name))


def save_view(
    inst: Installation, team_id: str, user_id: str, name: str, query: str, actor: str, *, for_team: bool
) -> None:
    """Save a view for the user or the team, or replace the one of this name; raise InputError."""
    name = checked_name(name)
    if len(query) > _LONGEST_QUERY:
        raise InputError(f"The query of a view has at most {_LONGEST_QUERY} characters", "query")
    owner = None if for_team else user_id
    with inst.catalog.transaction() as session:
        # The team's row is locked, so that two requests can't create the same name.
        session.execute(select(Team.id).where(Team.id == team_id).with_for_update())
        is_own = SavedView.user_id.is_(None) if owner is None else SavedView.user_id == owner
        mine = select(SavedView).where(SavedView.team_id == team_id, is_own)
        row = session.scalar(mine.where(SavedView.name == name))
        if row is None:
            if (session.scalar(select(func.count()).select_from(mine.subquery())) or 0) >= MOST_VIEWS:
                whose = "The team has" if for_team else "You have"
                raise InputError(f"{whose} {MOST_VIEWS} saved views, as many as possible. Delete one first")
            row = SavedView(id=new_id(), team_id=team_id, user_id=owner, name=name)
            session.add(row)
        row.query = query
        audit.record(session, team_id, actor, "view.saved", "view", [(row.id, {"name": name})])


def delete_view(
    inst: Installation, team_id: str, user_id: str, view_id: str, actor: str, *, of_team: bool
) -> None:
    """Delete a view of the member, or ``of_team``; raise NotFound."""
    with inst.catalog.transaction() as session:
        visible = _visible(team_id, user_id).where(SavedView.id == view_id.lower())
        row = session.scalar(visible) if is_uuid(view_id) else None
        if row is None or (row.user_id is None and not of_team):
            raise NotFound("Saved view not found", "viewId", view_id)
        session.delete(row)
        audit.record(session, team_id, actor, "view.deleted", "view", [(row.id, {"name": row.name})])


def _visible(team_id: str, user_id: str) -> Select[SavedView]:
    whose = or_(SavedView.user_id.is_(None), SavedView.user_id == user_id)
    return select(SavedView).where(SavedView.team_id == team_id, whose)
