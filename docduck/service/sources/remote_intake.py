"""Intake from remote sources: look when one is due, fetch what the ledger doesn't know, register it in steps.

An item is registered in one transaction with its ledger entry, and the source's cursor moves only once all
items of a look are done. So an interruption at any moment neither loses nor doubles a document.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import SourceState as Row
from docduck.catalog.upsert import upsert
from docduck.ids import new_id
from docduck.service.accounts.quotas import quotas
from docduck.service.core.installation import Installation
from docduck.service.sources.ledger import Line
from docduck.service.sources.registration import record_items
from docduck.service.sources.remote_sources import RemoteSource
from docduck.service.sources.report import IntakeReport, Preview, SourceState, sentences
from docduck.service.sources.targets import find_target
from docduck.service.sources.timed_intake import TimedIntake, sort_items
from docduck.sources.remote import SourceUnavailable

_LONGEST_BACKOFF = dt.timedelta(hours=1)
_FIRST_BACKOFF = dt.timedelta(seconds=15)
_LONGEST_RETRY_AFTER = dt.timedelta(days=1)
_CLOCKS_DIFFER = dt.timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Progress:
    """The stored state of a source; ``cursor`` is where its next look begins."""

    cursor: Mapping[str, Any]
    looked_at: dt.datetime | None = None
    next_look_at: dt.datetime | None = None
    failures: int = 0
    message: str = ""

    @property
    def is_due(self) -> bool:
        """Whether it is time for a look; it is, too, if the clock went back since the last one."""
        if self.next_look_at is None or self.looked_at is None:
            return True
        moment = clock.now()
        return self.next_look_at <= moment or self.looked_at - moment > _CLOCKS_DIFFER


def read_progress(session: Session, team_id: str, source: str) -> Progress:
    """Return the state of a source; an empty one before its first look."""
    row = session.scalar(select(Row).where(Row.team_id == team_id, Row.source == source))
    if row is None:
        return Progress({})
    return Progress(row.cursor or {}, row.looked_at, row.next_look_at, row.failures, row.message)


def write_progress(session: Session, team_id: str, source: str, progress: Progress) -> None:
    """Store the state of a source."""
    state = {**asdict(progress), "cursor": dict(progress.cursor)}
    row = {"id": new_id(), "team_id": team_id, "source": source, **state}
    upsert(session, Row, [row], ["team_id", "source"], replace=list(state))


def _after(
    progress: Progress,
    wait: dt.timedelta | None,
    message: str,
    *,
    is_again: bool = False,
    retry_after: float | None = None,
) -> Progress:
    """Return the state after a look; the next one follows after ``wait``, or at once without.

    ``is_again`` if it failed or left items for later. ``retry_after`` is how many seconds the server asks to
    wait, at most a day of which is waited.
    """
    requested = min(dt.timedelta(seconds=min(retry_after or 0.0, 1e9)), _LONGEST_RETRY_AFTER)
    moment = clock.now()
    next_look_at = None if wait is None else moment + max(wait, requested)
    failures = progress.failures + 1 if is_again else 0
    return Progress(progress.cursor, moment, next_look_at, failures, message)


def _backoff(progress: Progress, most: dt.timedelta) -> dt.timedelta:
    """Return how long to wait before what failed is tried again: longer each time."""
    return min(_FIRST_BACKOFF * (1 << min(progress.failures, 20)), most)


def look_at(inst: Installation, source: RemoteSource) -> SourceState:
    """Look at a source if it is due, without fetching items; store when to look again."""
    progress = _progress(inst, source)
    if not progress.is_due:
        return SourceState(0, 0, f"{progress.message} {_next_look(progress)}")
    target, problem = find_target(inst, source.parser, source.classifier)
    if target is None:
        return SourceState(0, 0, f"Source {source.name}: {problem}.")
    quota = quotas(inst).get(target.team_id)
    if quota is not None and not quota.left:
        return SourceState(0, 0, f"{source.place} waits. {quota.message(1)}.")
    try:
        with source.open(inst) as reader:
            look = reader.look(progress.cursor)
    except SourceUnavailable as error:
        return SourceState(0, 0, _failed(inst, source, progress, error))
    items = sort_items(inst, source, target, look)
    if items.todo or look.has_more:
        words = f"{_items(len(items.new))} to take in from {source.place}"
        return SourceState(max(1, items.todo), 0, sentences(words, look.problems))
    record_items(inst, source, items.refused)
    message = sentences(f"Nothing new in {source.place}", [*look.problems, *_words(items.refused)])
    _store(inst, source, _after(replace(progress, cursor=look.cursor), source.every, message))
    return SourceState(0, 0, message)


def preview_items(inst: Installation, source: RemoteSource) -> Preview:
    """Look at a source without fetching items, or storing that it was looked at."""
    target, problem = find_target(inst, source.parser, source.classifier)
    if target is None:
        return Preview.of((), f"Source {source.name}: {problem}.")
    try:
        with source.open(inst) as reader:
            look = reader.look({})
    except SourceUnavailable as error:
        return Preview.of((), f"{source.place} can't be read: {error.message}.")
    items = sort_items(inst, source, target, look)
    words = f"{_items(len(items.new))} to take in from {source.place}"
    problems = [*look.problems, *_words(items.refused)]
    return Preview.of([item.name for item in items.new], sentences(words, problems))


def last_message(inst: Installation, source: RemoteSource) -> str:
    """Return what the last look at a source found, and when the next one is."""
    progress = _progress(inst, source)
    if progress.looked_at is None:
        return f"{source.place} has not been looked at yet."
    return f"{progress.message} {_next_look(progress)}"


def take_in(inst: Installation, source: RemoteSource) -> IntakeReport:
    """Fetch and register all new items of a source that is due.

    Safe to run concurrently, to interrupt and to repeat.
    """
    report = IntakeReport()
    progress = _progress(inst, source)
    if not progress.is_due:
        return report
    target, problem = find_target(inst, source.parser, source.classifier)
    if target is None:
        report.messages.append(f"Source {source.name}: {problem}")
        return report
    stretch = TimedIntake(inst, source, target, report)
    try:
        with source.open(inst) as reader:
            cursor = progress.cursor
            while True:
                look = reader.look(cursor)
                report.messages += look.problems
                stretch.take(reader, look)
                cursor = look.cursor
                if stretch.is_complete:
                    progress = replace(progress, cursor=cursor)
                    if look.has_more:
                        _store(inst, source, progress)
                if not look.has_more or stretch.ends():
                    break
    except SourceUnavailable as error:
        report.messages.append(_failed(inst, source, progress, error))
        return report
    message = sentences(f"{_items(report.registered)} taken in from {source.place}", report.messages)
    if stretch.is_over and stretch.has_progress:
        after = _after(progress, None, f"{message} More follow.")
    elif stretch.is_complete:
        after = _after(progress, source.every, message)
    else:
        wait, retry_after = _backoff(progress, source.every), stretch.retry_after
        after = _after(progress, wait, message, is_again=True, retry_after=retry_after)
    _store(inst, source, after)
    return report


def _progress(inst: Installation, source: RemoteSource) -> Progress:
    with inst.catalog.read_session() as session:
        return read_progress(session, inst.team_id, source.name)


def _store(inst: Installation, source: RemoteSource, progress: Progress) -> None:
    with inst.catalog.transaction() as session:
        write_progress(session, inst.team_id, source.name, progress)


def _next_look(progress: Progress) -> str:
    return f"Next look at {progress.next_look_at:%Y-%m-%d %H:%M:%S} UTC." if progress.next_look_at else ""


def _failed(inst: Installation, source: RemoteSource, progress: Progress, error: SourceUnavailable) -> str:
    message = f"{source.place} can't be read: {error.message}"
    wait = _backoff(progress, max(source.every, _LONGEST_BACKOFF)) if error.retryable else source.every
    after = _after(progress, wait, f"{message}.", is_again=True, retry_after=error.retry_after)
    _store(inst, source, after)
    return message


def _words(lines: Sequence[Line]) -> list[str]:
    return [f"{line.item}: {line.message}" for line in lines]


def _items(count: int) -> str:
    return "1 document" if count == 1 else f"{count} documents"
