"""What is known of each source: its state, the outcomes of its items, and what another look would bring."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, select

from docduck.catalog.models import IntakeEntry, SourceState
from docduck.errors import InputError, NotFound
from docduck.service.core.installation import Installation
from docduck.service.sources.folder_intake import preview_files
from docduck.service.sources.intake import describe_source
from docduck.service.sources.ledger import TAKEN, ItemOutcome
from docduck.service.sources.ledger_pages import LedgerItem, item_counts, latest_unregistered
from docduck.service.sources.remote_intake import preview_items
from docduck.service.sources.remote_sources import ADDRESSES, RemoteSource
from docduck.service.sources.report import Preview
from docduck.service.sources.sources import Source, sources

REPLAYABLE = frozenset(ItemOutcome) - TAKEN


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source, the counts of its items by outcome, and its ``latest`` items that were not registered."""

    name: str
    kind: str
    place: str
    target: str
    message: str
    counts: Mapping[str, int]
    latest: Sequence[LedgerItem]


def source_statuses(inst: Installation, team_id: str) -> list[SourceStatus]:
    """Return the status of each source, and of the mail receiver if any mail has come; raise InputError."""
    known = sources(inst)
    with inst.catalog.read_session() as session:
        counts = item_counts(session, team_id)
        names = [*(source.name for source in known), ADDRESSES.name]
        latest = {name: latest_unregistered(session, team_id, name) for name in names}
    statuses = [
        SourceStatus(
            source.name,
            source.kind,
            source.place,
            source.parser or source.classifier or "each parser",
            describe_source(inst, source),
            counts.get(source.name, {}),
            latest[source.name],
        )
        for source in known
    ]
    if ADDRESSES.name in counts:
        statuses.append(
            SourceStatus(
                ADDRESSES.name,
                "address",
                inst.settings.mail_domain or "",
                "the address's",
                "",
                counts[ADDRESSES.name],
                latest[ADDRESSES.name],
            )
        )
    return statuses


def find_source(inst: Installation, name: str) -> Source:
    """Return a source by its name; raise NotFound listing the known ones, and InputError."""
    known = {source.name: source for source in sources(inst)}
    if name not in known:
        raise NotFound(f"There is no source '{name}'; known are: {', '.join(known)}", "source", name)
    return known[name]


def try_source(inst: Installation, name: str) -> Preview:
    """Look at a source now, without taking in anything or noting that it was looked at; raise NotFound."""
    source = find_source(inst, name)
    if isinstance(source, RemoteSource):
        return preview_items(inst, source)
    return preview_files(inst, source)


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
