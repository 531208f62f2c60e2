"""Pages of a source's ledger."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from docduck.catalog.models import IntakeEntry, Team
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page, read_page
from docduck.service.sources.ledger import ItemOutcome

_LATEST = 20
_PROBLEMS = (ItemOutcome.REFUSED, ItemOutcome.UNREADABLE)


@dataclass(frozen=True, slots=True)
class LedgerItem:
    """An item of a source: its outcome with the reason, and the document that it became or repeats.

    ``at`` is when that last changed.
    """

    item: str
    outcome: str
    message: str
    document_id: str | None
    size: int | None
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class TakenDocuments:
    """How many items of a source became documents, of all teams, and when the last one did."""

    number: int
    last: dt.datetime | None


def taken_documents(inst: Installation, source: str) -> TakenDocuments:
    """Return what was taken from a source so far."""
    # Named one by one, the teams allow the index to be used.
    mine = (IntakeEntry.team_id.in_(select(Team.id)), IntakeEntry.source == source)
    statement = select(func.count(), func.max(IntakeEntry.updated_at)).where(
        *mine, IntakeEntry.outcome == ItemOutcome.REGISTERED
    )
    with inst.catalog.read_session() as session:
        number, last = session.execute(statement).one()
        return TakenDocuments(number, last)


def ledger_page(
    inst: Installation, team_id: str, source: str, outcome: str | None = None, page: int = 1, limit: int = 50
) -> Page[LedgerItem]:
    """Return the items of a source, the latest first; raise InputError for an unknown outcome."""
    if outcome is not None and outcome not in set(ItemOutcome):
        raise InputError(f"Unknown outcome: {outcome}. Known: {', '.join(ItemOutcome)}", "outcome")
    conditions = [IntakeEntry.team_id == team_id, IntakeEntry.source == source]
    if outcome is not None:
        conditions.append(IntakeEntry.outcome == outcome)
    with inst.catalog.read_session() as session:
        newest_first = (IntakeEntry.updated_at.desc(), IntakeEntry.id.desc())
        return read_page(session, IntakeEntry, conditions, newest_first, page, limit).map(_item)


def last_problem(session: Session, team_id: str, source: str) -> LedgerItem | None:
    """Return the latest item of a source that was refused or could not be read."""
    latest = [
        item
        for outcome in _PROBLEMS
        for item in _latest(session, team_id, source, 1, IntakeEntry.outcome == outcome)
    ]
    return max(latest, key=lambda item: item.at, default=None)


def latest_unregistered(session: Session, team_id: str, source: str) -> list[LedgerItem]:
    """Return the latest items of a source that were not registered."""
    return _latest(session, team_id, source, _LATEST, IntakeEntry.outcome != ItemOutcome.REGISTERED)


def item_counts(session: Session, team_id: str) -> dict[str, dict[str, int]]:
    """Return the counts of a team's items by outcome, for each source by name."""
    counts: dict[str, dict[str, int]] = {}
    for source, outcome, count in session.execute(
        select(IntakeEntry.source, IntakeEntry.outcome, func.count())
        .where(IntakeEntry.team_id == team_id)
        .group_by(IntakeEntry.source, IntakeEntry.outcome)
    ):
        counts.setdefault(source, {})[outcome] = count
    return counts


def _latest(
    session: Session, team_id: str, source: str, count: int, condition: ColumnElement[bool]
) -> list[LedgerItem]:
    rows = session.scalars(
        select(IntakeEntry)
        .where(IntakeEntry.team_id == team_id, IntakeEntry.source == source, condition)
        .order_by(IntakeEntry.updated_at.desc(), IntakeEntry.id.desc())
        .limit(count)
    )
    return [_item(row) for row in rows]


def _item(row: IntakeEntry) -> LedgerItem:
    return LedgerItem(row.item, row.outcome, row.message, row.document_id, row.size, row.updated_at)
