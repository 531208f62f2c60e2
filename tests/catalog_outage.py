"""The catalog goes away in the middle of a request, before or after one of its commits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from sqlalchemy import Connection, func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from docduck.catalog.database import Catalog
from docduck.catalog.models import Base
from docduck.service.core.installation import Installation

Moment = Literal["before", "after"]
MOMENTS: tuple[Moment, ...] = ("before", "after")

_NOT_COUNTED = {"idempotent_requests", "lessons", "owed_lessons"}
"""Tables of keys, and of what is learned after a response."""


@dataclass
class Outage:
    """What is left of a catalog: ``commits`` were begun, and from the ``at``-th on none is answered."""

    at: int
    moment: Moment
    is_hit: Callable[[], bool]
    commits: int = 0
    is_away: bool = False

    def check(self) -> None:
        """Raise OperationalError if the catalog is away for the caller."""
        if self.is_away and self.is_hit():
            raise lost()

    def commit(self, moment: Moment) -> None:
        """Count a commit ``before`` it; let the catalog go away if its time has come."""
        self.commits += moment == "before"
        if (self.commits, moment) == (self.at, self.moment):
            self.is_away = True
        self.check()


def lost() -> OperationalError:
    """Return the error of a connection that broke."""
    return OperationalError("COMMIT", None, Exception("the server is gone"), connection_invalidated=True)


@contextmanager
def catalog_outage(
    at: int = 0, moment: Moment = "before", is_hit: Callable[[], bool] = lambda: True
) -> Iterator[Outage]:
    """Let the catalog go away at the ``at``-th commit, until the block ends; without ``at``, count commits.

    Callers for which ``is_hit`` is false have the catalog all the time.
    """
    outage = Outage(at, moment, is_hit)
    transaction, read_session, reading = Catalog.transaction, Catalog.read_session, Catalog.reading

    @contextmanager
    def failing_transaction(self: Catalog, **options: Any) -> Iterator[Session]:
        outage.check()
        with transaction(self, **options) as session:
            yield session
            if is_hit():
                outage.commit("before")
        if is_hit():
            outage.commit("after")

    @contextmanager
    def failing_read_session(self: Catalog, *limits: Any) -> Iterator[Session]:
        outage.check()
        with read_session(self, *limits) as session:
            yield session

    def failing_reading(self: Catalog) -> Connection:
        outage.check()
        return reading(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Catalog, "transaction", failing_transaction)
        patch.setattr(Catalog, "read_session", failing_read_session)
        patch.setattr(Catalog, "reading", failing_reading)
        yield outage


def rows(inst: Installation) -> dict[str, int]:
    """Return the number of rows of the catalog's tables."""
    with inst.catalog.read_session() as session:
        return {
            table.name: session.scalar(select(func.count()).select_from(table)) or 0
            for table in Base.metadata.sorted_tables
            if table.name not in _NOT_COUNTED
        }


def changes(inst: Installation, before: dict[str, int]) -> dict[str, int]:
    """Return how many more rows the tables have than ``before``."""
    return {name: number - before[name] for name, number in rows(inst).items() if number != before[name]}
