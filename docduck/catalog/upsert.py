"""Inserting rows that may exist already, on SQLite and PostgreSQL alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from docduck.catalog.database import is_sqlite
from docduck.catalog.models.base import Base


def upsert(
    session: Session,
    model: type[Base],
    rows: Sequence[Mapping[str, Any]] | Select[*tuple[Any, ...]],
    key: Sequence[str],
    *,
    add: Sequence[str] = (),
    replace: Sequence[str] = (),
) -> None:
    """Insert rows; where a row with the same ``key`` exists, update it.

    Its columns ``add`` are increased by the new row's values, and its columns ``replace`` replaced by them.
    """
    statement = insert_statement(session, model)
    if isinstance(rows, Select):
        session.flush()
        statement = statement.from_select(rows.selected_columns.keys(), rows)
    changes = {name: getattr(model, name) + statement.excluded[name] for name in add}
    changes |= {name: statement.excluded[name] for name in replace}
    statement = statement.on_conflict_do_update(index_elements=key, set_=changes)
    session.connection().execute(statement, None if isinstance(rows, Select) else rows)


def insert_missing(session: Session, model: type[Base], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, except those that exist already."""
    session.connection().execute(insert_statement(session, model).on_conflict_do_nothing(), rows)


def insert_statement(session: Session, model: type[Base]) -> postgresql.Insert:
    """Return an INSERT in the session's dialect; ``ON CONFLICT`` is the same in both."""
    dialect: Any = sqlite if is_sqlite(session) else postgresql
    statement: postgresql.Insert = dialect.insert(model)
    return statement
