"""Short transactions: work on many rows in steps, and what takes time prepared before the transaction.

SQLite has one writer at a time, so whatever takes time is computed before. The transaction raises
OutdatedPreparation if what it was computed from has changed, and both steps are repeated.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial, wraps
from itertools import count
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session

from docduck.errors import Transient
from docduck.service.core.installation import Installation

STEP = 500
"""The most rows of a transaction."""


def in_steps(inst: Installation, work: Callable[[Session], int]) -> int:
    """Call ``work`` in one transaction after the other, until it did fewer than ``STEP``; return how many."""
    done = 0
    while True:
        with inst.catalog.transaction() as session:
            rows = work(session)
        done += rows
        if rows < STEP:
            return done


def delete_in_steps(inst: Installation, table: Any, *which: ColumnElement[bool]) -> int:
    """Delete the rows of a table that fulfil all conditions; return how many."""

    def delete_some(session: Session) -> int:
        rows = select(table.id).where(*which).limit(STEP).with_for_update(skip_locked=True)
        ids = session.scalars(rows).all()
        session.execute(delete(table).where(table.id.in_(ids)).execution_options(synchronize_session=False))
        return len(ids)

    return in_steps(inst, delete_some)


P = TypeVar("P")
R = TypeVar("R")
A = ParamSpec("A")
_FEWEST_TRIES = 5
_MOST_TRIES = 3
"""Of what failed as others wrote meanwhile."""
_SECONDS = 10.0
"""How long it is tried again, unless few tries take longer."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.5
"""The bounds of the pauses between tries, in seconds; they are random, so that writers come apart."""


def retried(
    work: Callable[[], R], *, after: tuple[type[Exception], ...] = (IntegrityError, OperationalError)
) -> R:
    """Return what ``work`` returns; repeat it ``after`` these errors.

    By default, they are those of another transaction that took an id or a lock meanwhile.
    """
    for _ in range(_MOST_TRIES - 1):
        with suppress(*after):
            return work()
    return work()


def repeated_if_overtaken(work: Callable[A, R]) -> Callable[A, R]:
    """Repeat a function whose transaction another one was ahead of with a row that must be unique.

    The second time it finds that row. A decorator.
    """

    @wraps(work)
    def repeating(*arguments: A.args, **named: A.kwargs) -> R:
        return retried(partial(work, *arguments, **named), after=(IntegrityError,))

    return repeating


class OutdatedPreparation(Exception):
    """What was prepared is based on data that has changed."""


def prepare_and_write(
    inst: Installation, prepare: Callable[[Session], P], write: Callable[[Session, P], R]
) -> R:
    """Call ``prepare`` in a read session, then ``write`` in a transaction; return its result.

    Raise Transient if others keep changing the data.
    """
    end = time.monotonic() + _SECONDS
    for tries in count(1):
        with inst.catalog.read_session() as session:
            prepared = prepare(session)
        try:
            with inst.catalog.transaction() as session:
                return write(session, prepared)
        except OutdatedPreparation:
            if tries >= _FEWEST_TRIES and time.monotonic() > end:
                break
        time.sleep(random.uniform(0, min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**tries)))
    raise Transient("Too many others change this at the same time; try again later")
