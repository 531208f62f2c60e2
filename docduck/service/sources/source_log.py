"""What is known of each source: its state, the outcomes of its items, and what another look would bring."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from docduck.catalog.models import IntakeEntry, SourceState
from docduck.errors import InputError, NotFound
from docduck.service.core.installation import Installation
from docduck.service.sources.folder_intake import new_files
from docduck.service.sources.intake import describe_source
from docduck.service.sources.ledger import TAKEN, ItemOutcome
from docduck.service.sources.remote_intake import preview
from docduck.service.sources.remote_source import ADDRESSES, RemoteSource
from docduck.service.sources.sources import Source, sources

_LATEST = 20
_SHOWN = 20
REPLAYABLE = frozenset(ItemOutcome) - TAKEN


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An item of a source and its outcome."""

    item: str
    outcome: str
    message: str
    document_id: str | None
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source, the counts of its items by outcome, and its ``latest`` items that were not registered."""

    name: str
    kind: str
    place: str
    target: str
    message: str
    counts: Mapping[str, int]
    latest: Sequence[LogEntry]


@dataclass(frozen=True, slots=True)
class Trial:
    """What a look at a source finds now: the number of new items, the names of the first, and a message."""

    new: int
    items: Sequence[str]
    message: str


def source_statuses(inst: Installation, team_id: str) -> list[SourceStatus]:
    """Return the status of each source, and of the mail receiver if any mail has come; raise InputError."""
    with inst.catalog.read_session() as session:
        counts = item_counts(session, team_id)
    found = [
        SourceStatus(
            one.name,
            one.kind,
            one.place,
            one.parser or one.classifier or "each parser",
            describe_source(inst, one),
            counts.get(one.name, {}),
            _latest(inst, team_id, one.name),
        )
        for one in sources(inst)
    ]
    if ADDRESSES.name in counts:
        latest = _latest(inst, team_id, ADDRESSES.name)
        found.append(
            SourceStatus(
                ADDRESSES.name,
                "address",
                inst.settings.mail_domain or "",
                "the address's",
                "",
                counts[ADDRESSES.name],
                latest,
            )
        )
    return found


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


def find_source(inst: Installation, name: str) -> Source:
    """Return a source by its name; raise NotFound listing the known ones, and InputError."""
    known = {one.name: one for one in sources(inst)}
    if name not in known:
        raise NotFound(f"There is no source '{name}'; known are: {', '.join(known)}", "source", name)
    return known[name]


def try_source(inst: Installation, name: str) -> Trial:
    """Look at a source now, without taking in anything or noting that it was looked at; raise NotFound."""
    source = find_source(inst, name)
    if isinstance(source, RemoteSource):
        found = preview(inst, source)
        return Trial(len(found.items), found.items[:_SHOWN], found.message)
    files, message = new_files(inst, source)
    return Trial(len(files), files[:_SHOWN], message)


def replay(
    inst: Installation, team_id: str, name: str, outcomes: Collection[ItemOutcome] = REPLAYABLE
) -> int:
    """Forget the items of a source with these outcomes, so that they are looked at again; return how many.

    Items that are documents stay known. Raise NotFound, and InputError for such an outcome.
    """
    if not REPLAYABLE.issuperset(outcomes):
        wrong = ", ".join(sorted(set(outcomes) - REPLAYABLE))
        raise InputError(f"Items that are {wrong} are documents already; reprocess those instead", "outcome")
    find_source(inst, name)
    with inst.catalog.transaction() as session:
        mine = (
            IntakeEntry.team_id == team_id,
            IntakeEntry.source == name,
            IntakeEntry.outcome.in_(sorted(outcomes)),
        )
        count = session.scalar(select(func.count()).select_from(IntakeEntry).where(*mine)) or 0
        session.execute(delete(IntakeEntry).where(*mine))
        session.execute(delete(SourceState).where(SourceState.team_id == team_id, SourceState.source == name))
    return count


def _latest(inst: Installation, team_id: str, source: str) -> list[LogEntry]:
    statement = (
        select(IntakeEntry)
        .where(
            IntakeEntry.team_id == team_id,
            IntakeEntry.source == source,
            IntakeEntry.outcome != ItemOutcome.REGISTERED,
        )
        .order_by(IntakeEntry.updated_at.desc(), IntakeEntry.id.desc())
        .limit(_LATEST)
    )
    with inst.catalog.read_session() as session:
        return [
            LogEntry(row.item, row.outcome, row.message, row.document_id, row.updated_at)
            for row in session.scalars(statement)
        ]
