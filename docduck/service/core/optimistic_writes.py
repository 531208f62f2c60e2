"""Optimistic concurrency: prepare outside of a transaction, then check and write in one.

SQLite has one writer at a time, so whatever takes time is computed before the transaction. The transaction
raises OutdatedPreparation if what it was computed from has changed, and both steps are repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.orm import Session

from docduck.errors import Conflict
from docduck.service.core.installation import Installation

P = TypeVar("P")
R = TypeVar("R")
_TRIES = 10


class OutdatedPreparation(Exception):
    """What was prepared is based on data that has changed."""


def prepare_and_write(
    inst: Installation, prepare: Callable[[Session], P], write: Callable[[Session, P], R]
) -> R:
    """Call ``prepare`` in a read session, then ``write`` in a transaction; return its result.

    Raise Conflict if the data keeps changing.
    """
    for _ in range(_TRIES):
        with inst.catalog.read_session() as session:
            prepared = prepare(session)
        try:
            with inst.catalog.transaction() as session:
                return write(session, prepared)
        except OutdatedPreparation:
            continue
    raise Conflict("Others change this all the time; try again")
