"""Intake from folders: every file is stored and registered once, however often it is looked at.

The ledger knows each file by its path and its state (size and times), so a folder that has not
changed is not read again; a file's content decides whether it is new. A document and its entry in the
ledger are one transaction, and only after it is the file moved or deleted, if its source says so: an
end at any moment loses nothing and doubles nothing.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from sqlalchemy.orm import Session

from docduck.service.core.installation import Installation
from docduck.service.sources import ledger
from docduck.service.sources.ledger import TAKEN, Entry, ItemOutcome, Line
from docduck.service.sources.registration import Copied, can_open, copy, enter, finish, note
from docduck.service.sources.scan import (
    LEFT_IN_PLACE,
    Decision,
    SourceFile,
    SourceScan,
    decide,
    known_entries,
    refusal,
    scan,
)
from docduck.service.sources.sources import FolderSource, ensure_inbox, sources

__all__ = [
    "FolderSource",
    "IntakeReport",
    "SourceState",
    "ensure_inbox",
    "ingest",
    "inspect_source",
    "sources",
]

_READERS = 4
_SENTENCES = 5


@dataclass(frozen=True, slots=True)
class SourceState:
    """What a source holds: ``new`` files that ``ingest`` would take now, for these parsers.

    ``message`` says it in words, with why anything else is not taken. A ``signature`` that is passed
    to the next look spares the work when nothing has changed; it only repeats when nothing is open.
    """

    new: int
    parser_slugs: tuple[str, ...]
    waiting: int
    message: str
    signature: str


@dataclass(slots=True)
class IntakeReport:
    """What ``ingest`` did; ``by_parser`` counts registered documents by slug."""

    registered: int = 0
    duplicates: int = 0
    waiting: int = 0
    refused: int = 0
    unreadable: int = 0
    vanished: int = 0
    by_parser: dict[str, int] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Sorted:
    """A source's files by what is to be done with them."""

    ready: list[SourceFile] = field(default_factory=list)
    unfinished: list[SourceFile] = field(default_factory=list)
    lines: list[tuple[SourceFile, Line]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    stuck: set[str] = field(default_factory=set)


def inspect_source(
    inst: Installation, source: FolderSource, last_signature: str | None = None
) -> SourceState:
    """See what a source holds, without reading any file.

    It writes to the ledger only that a file is refused, or since when one from the future is watched.
    """
    surveyed = scan(inst, source)
    if last_signature and surveyed.signature == last_signature:
        refused = [(offer, refusal(offer.found, inst.settings)) for offer in surveyed.offers]
        left = [f"{offer.label}: {words}" for offer, words in refused if words]
        message = _sentences(f"Nothing new in {source.path}", [*surveyed.problems, *left])
        return SourceState(0, (), 0, message, last_signature)
    now = time.time()
    with inst.catalog.read_session() as session:
        entries = known_entries(session, source, surveyed.offers)
    found = _sort(inst, source, surveyed, entries, now)
    watched = [
        line
        for offer, line in found.lines
        if (line.outcome is ItemOutcome.REFUSED or offer.found.changed_ns > now * 1e9)
        and ledger.news(line, entries.get(offer.key))
    ]
    if watched:
        with inst.catalog.transaction() as session:
            note(session, source, watched)

    todo = [offer for offer in [*found.ready, *found.unfinished] if offer.key not in found.stuck]
    waiting = [offer for offer, line in found.lines if line.outcome is ItemOutcome.WAITING]
    slugs = tuple(sorted({offer.target.slug for offer in todo}))
    at_rest = not (todo or waiting or found.stuck)
    signature = surveyed.signature if at_rest else f"{surveyed.signature}-{time.time_ns()}"
    message = _message(source, surveyed, found, len(todo), len(waiting))
    return SourceState(len(todo), slugs, len(waiting), message, signature)


def ingest(
    inst: Installation, source: FolderSource, on_progress: Callable[[int, int], None] | None = None
) -> IntakeReport:
    """Store and register everything new in a source, and then move or delete it, if it says so.

    May run in several processes at once and be stopped at any moment; doing it again does the rest.
    One bad file stops nothing. ``on_progress`` is called with (files done, files in all).
    """
    report = IntakeReport()
    surveyed = scan(inst, source)
    report.messages += surveyed.problems
    with inst.catalog.read_session() as session:
        entries = known_entries(session, source, surveyed.offers)
    found = _sort(inst, source, surveyed, entries, time.time())
    lines = [line for _, line in found.lines]
    with inst.catalog.transaction() as session:
        note(session, source, [line for o, line in found.lines if ledger.news(line, entries.get(o.key))])
        report.vanished += _note_gone(session, source, surveyed)
    _count(report, lines, {offer.key: offer for offer, _ in found.lines})
    report.messages += finish(inst, source, found.unfinished)

    done = 0
    for batch, results in _copied_ahead(inst, found.ready):
        copied = [one for one in results if isinstance(one, Copied)]
        entered = enter(inst, source, copied, [one for one in results if isinstance(one, Line)])
        _count(report, entered.lines, {offer.key: offer for offer in batch})
        taken = {line.key for line in [*entered.lines, *entered.touched] if line.outcome in TAKEN}
        report.messages += finish(inst, source, [offer for offer in batch if offer.key in taken])
        done += len(batch)
        if on_progress:
            on_progress(done, len(found.ready))
    return report


def _sort(
    inst: Installation,
    source: FolderSource,
    surveyed: SourceScan,
    entries: dict[str, Entry],
    now: float,
) -> _Sorted:
    found = _Sorted()
    for offer in surveyed.offers:
        entry = entries.get(offer.key)
        verdict, words = decide(offer, entry, source, inst.settings, now)
        match verdict:
            case Decision.READY:
                found.ready.append(offer)
                if entry is not None and entry.outcome == ItemOutcome.UNREADABLE and not can_open(offer):
                    found.stuck.add(offer.key)
                    found.left.append(f"{offer.label}: {entry.message}")
            case Decision.UNFINISHED:
                found.unfinished.append(offer)
                if words.startswith(LEFT_IN_PLACE):
                    found.stuck.add(offer.key)
                    found.left.append(f"{offer.label}: {words}")
            case Decision.WAITING:
                found.lines.append((offer, offer.line(ItemOutcome.WAITING, words)))
            case Decision.REFUSED:
                found.lines.append((offer, offer.line(ItemOutcome.REFUSED, words)))
                found.left.append(f"{offer.label}: {words}")
    return found


def _note_gone(session: Session, source: FolderSource, surveyed: SourceScan) -> int:
    """Enter what is no longer in the folder: vanished before it was taken, or moved by an earlier end.

    Gives how many vanished. Where a folder could not be looked into, nothing is concluded.
    """
    if surveyed.problems:
        return 0
    here = {offer.key for offer in surveyed.offers}
    count = 0
    for team_id, parser_ids in surveyed.parser_ids().items():
        gone = [
            entry.key
            for entry in ledger.pending(session, team_id, source.name, parser_ids)
            if entry.key not in here
        ]
        ledger.vanish(session, team_id, source.name, gone)
        count += len(gone)
        if source.after != "keep":
            done = [e.key for e in ledger.unfinished(session, team_id, source.name) if e.key not in here]
            ledger.finish(session, team_id, source.name, done)
    return count


def _count(report: IntakeReport, lines: Iterable[Line], offers: Mapping[str, SourceFile]) -> None:
    """Add what was entered to the report; each thing that is not simply taken gets its sentence."""
    slugs = Counter(report.by_parser)
    for line in lines:
        offer = offers[line.key]
        match line.outcome:
            case ItemOutcome.REGISTERED:
                report.registered += 1
                slugs[offer.target.slug] += 1
            case ItemOutcome.DUPLICATE:
                report.duplicates += 1
            case ItemOutcome.WAITING:
                report.waiting += 1
            case ItemOutcome.REFUSED:
                report.refused += 1
            case ItemOutcome.UNREADABLE:
                report.unreadable += 1
            case ItemOutcome.VANISHED:
                report.vanished += 1
        if line.message:
            report.messages.append(f"{offer.label}: {line.message}")
    report.by_parser = dict(slugs)


def _copied_ahead(
    inst: Installation, offers: Sequence[SourceFile]
) -> Iterator[tuple[Sequence[SourceFile], list[Copied | Line]]]:
    """Batches of files with what copying gave; the next batch is being copied meanwhile."""
    size = inst.settings.intake_batch
    batches = [offers[start : start + size] for start in range(0, len(offers), size)]
    with ThreadPoolExecutor(_READERS, thread_name_prefix="intake") as pool:
        ahead: Iterator[list[Copied | Line]] = iter(())
        for index in range(len(batches) + 1):
            results = list(chain.from_iterable(ahead))
            if index < len(batches):
                ahead = pool.map(partial(copy, inst), _shares(batches[index]))
            if index > 0:
                yield batches[index - 1], results


def _shares(batch: Sequence[SourceFile]) -> list[Sequence[SourceFile]]:
    """A batch in equal parts, one for each reader, in the same order."""
    size = math.ceil(len(batch) / _READERS)
    return [batch[start : start + size] for start in range(0, len(batch), size)]


def _message(source: FolderSource, surveyed: SourceScan, found: _Sorted, todo: int, waiting: int) -> str:
    parts = [f"{_files(todo)} to take in from {source.path}" if todo else f"Nothing new in {source.path}"]
    if waiting:
        first = next(
            f"{o.label} {line.message}" for o, line in found.lines if line.outcome == ItemOutcome.WAITING
        )
        parts.append(f"{_files(waiting)} not yet settled (such as {first})")
    return _sentences("; ".join(parts), [*surveyed.problems, *found.left])


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _sentences(first: str, more: Sequence[str]) -> str:
    shown = [first, *more[:_SENTENCES]]
    if len(more) > _SENTENCES:
        shown.append(f"And {len(more) - _SENTENCES} more")
    return ". ".join(shown) + "."
