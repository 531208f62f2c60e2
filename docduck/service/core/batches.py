"""Work on many rows, some in each transaction, so that others can write in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.orm import Session

from docduck.service.core.installation import Installation

STEP = 500
"""The most rows of a transaction."""


def in_steps(inst: Installation, work: Callable[[Session], int]) -> int:
    """Call ``work`` in one transaction after the other, until it did fewer than ``STEP``; return how many."""
    done = 0
    while True:
        with inst.catalog.transaction() as session:
            count = work(session)
        done += count
        if count < STEP:
            return done


def delete_in_steps(inst: Installation, table: Any, *which: ColumnElement[bool]) -> int:
    """Delete the rows of a table that fulfil all conditions; return how many."""

    def delete_some(session: Session) -> int:
        rows = select(table.id).where(*which).limit(STEP).with_for_update(skip_locked=True)
        ids = session.scalars(rows).all()
        session.execute(delete(table).where(table.id.in_(ids)).execution_options(synchronize_session=False))
        return len(ids)

    return in_steps(inst, delete_some)
