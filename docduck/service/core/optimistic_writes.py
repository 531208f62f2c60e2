"""Optimistic concurrency: prepare outside of a transaction, then check and write in one.

SQLite has one writer at a time, so whatever takes time is computed before the transaction. The transaction
raises OutdatedPreparation if what it was computed from has changed, and both steps are repeated.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import TypeVar

from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session

from docduck.errors import Transient
from docduck.service.core.installation import Installation

P = TypeVar("P")
R = TypeVar("R")
_FEWEST_TRIES = 5
_MOST_TRIES = 3
"""Of what failed by an id or a lock."""
_SECONDS = 10.0
"""How long it is tried again, unless few tries take longer."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.5
"""The bounds of the pauses between tries, in seconds; they are random, so that writers come apart."""


def retried(work: Callable[[], R]) -> R:
    """Return what ``work`` returns; repeat it when another transaction took an id or a lock meanwhile."""
    for _ in range(_MOST_TRIES - 1):
        with suppress(IntegrityError, OperationalError):
            return work()
    return work()


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
