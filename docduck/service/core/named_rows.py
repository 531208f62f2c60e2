"""What parsers and classifiers have in common: they are found by id, slug or name, and listed by pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, TypeVar, Unpack

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.interfaces import ORMOption

from docduck.catalog.models import Classifier, Parser
from docduck.errors import NotFound
from docduck.ids import is_uuid
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page, order_of, read_page

NamedRow = TypeVar("NamedRow", Parser, Classifier)


class NamedQuery(TypedDict, total=False):
    """Which rows are listed: ``q`` is part of the name."""

    q: str
    is_active: bool | None
    sort: str
    page: int
    limit: int


def live(table: type[NamedRow], team_id: str) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of the team's rows that are not deleted."""
    return (table.team_id == team_id, table.deleted_at.is_(None))


def all_named(session: Session, table: type[NamedRow], team_id: str | None) -> Sequence[NamedRow]:
    """Return the team's rows, or those of all teams if it is None, oldest first."""
    conditions = [table.deleted_at.is_(None)] if team_id is None else live(table, team_id)
    return session.scalars(select(table).where(*conditions).order_by(table.created_at, table.id)).all()


def find_named(
    session: Session,
    table: type[NamedRow],
    team_id: str,
    ref: str,
    *options: ORMOption,
    lock: bool = False,
) -> NamedRow:
    """Return the team's row by id, slug or name (in that order), locked if ``lock``; raise NotFound."""
    match = table.id == ref.lower() if is_uuid(ref) else or_(table.slug == ref, table.name == ref)
    statement = select(table).where(*live(table, team_id), match).order_by(table.created_at, table.id)
    if lock:
        statement = statement.with_for_update()
    rows = session.scalars(statement.options(*options)).all()
    if not rows:
        raise NotFound(f"{table.__name__} not found", f"{table.__name__.lower()}Id", ref)
    return next((row for row in rows if row.slug == ref), rows[0])


def id_of_slug(inst: Installation, table: type[NamedRow], team_id: str, slug: str) -> str | None:
    """Return the id of the team's row with this slug; None if there is none."""
    with inst.catalog.read_session() as session:
        return session.scalar(select(table.id).where(*live(table, team_id), table.slug == slug))


def named_page(
    session: Session,
    table: type[NamedRow],
    team_id: str,
    further: Sequence[ColumnElement[bool]],
    **query: Unpack[NamedQuery],
) -> Page[NamedRow]:
    """Return a page of the team's rows; ``q`` is part of the name. Raise InputError for an unknown sort."""
    conditions = [*live(table, team_id), *further]
    if q := query.get("q"):
        conditions.append(table.name_key.contains(q.casefold(), autoescape=True))
    if (is_active := query.get("is_active")) is not None:
        conditions.append(table.is_active == is_active)
    order = order_of(table, query.get("sort", "createdAt.desc"))
    return read_page(session, table, conditions, order, query.get("page", 1), query.get("limit", 50))
