"""Writing what was computed beforehand (optimistic concurrency).

All writers of the catalog wait for each transaction, so whatever takes time is computed before it, from
what is read in a session of its own. The transaction checks that this has not changed, or raises Outdated,
and then both are done again.
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


class Outdated(Exception):
    """What was computed before the transaction was computed from something that has changed since."""


def prepare_and_write(
    inst: Installation, prepare: Callable[[Session], P], write: Callable[[Session, P], R]
) -> R:
    """Call ``prepare`` in a session that only reads, then ``write`` in a transaction, and return its result.

    Raise Conflict if others change what it is computed from again and again.
    """
    for _ in range(_TRIES):
        with inst.catalog.read_session() as session:
            prepared = prepare(session)
        try:
            with inst.catalog.transaction() as session:
                return write(session, prepared)
        except Outdated:
            continue
    raise Conflict("Others change this all the time; try again")
