"""Intake from remote sources: look, fetch what the ledger doesn't know, register it in steps.

An item is registered in one transaction with its ledger entry, and the source's cursor moves only once all
items of a look are done. So an interruption at any moment neither loses nor doubles a document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from docduck.service.core.installation import Installation
from docduck.service.sources.item_registration import record_items
from docduck.service.sources.ledger import Line
from docduck.service.sources.remote_source import RemoteSource
from docduck.service.sources.report import IntakeReport, SourceState, sentences
from docduck.service.sources.source_state import (
    Progress,
    after_delay,
    after_failure,
    after_part,
    after_success,
    read_progress,
    write_progress,
)
from docduck.service.sources.stretch import Stretch, sort_items
from docduck.service.sources.targets import find_target
from docduck.sources.remote import SourceUnavailable


def look_at(inst: Installation, source: RemoteSource) -> SourceState:
    """Look at a source if it is due, without fetching items; store when to look again."""
    progress = _progress(inst, source)
    if not progress.is_due:
        return SourceState(0, 0, f"{progress.message} {_next_look(progress)}")
    target, problem = find_target(inst, source.parser, source.classifier)
    if target is None:
        return SourceState(0, 0, f"Source {source.name}: {problem}.")
    try:
        with source.open(inst) as reader:
            look = reader.look(progress.cursor)
    except SourceUnavailable as error:
        return SourceState(0, 0, _failed(inst, source, progress, error))
    found = sort_items(inst, source, target, look)
    if found.todo or look.has_more:
        words = f"{_items(len(found.new))} to take in from {source.place}"
        return SourceState(max(1, found.todo), 0, sentences(words, look.problems))
    record_items(inst, source, found.refused)
    message = sentences(f"Nothing new in {source.place}", [*look.problems, *_words(found.refused)])
    _store(inst, source, after_success(replace(progress, cursor=look.cursor), source.every, message))
    return SourceState(0, 0, message)


@dataclass(frozen=True, slots=True)
class Preview:
    """The names of the items that would be taken in, and a message."""

    items: Sequence[str]
    message: str


def preview(inst: Installation, source: RemoteSource) -> Preview:
    """Look at a source without fetching items, or storing that it was looked at."""
    target, problem = find_target(inst, source.parser, source.classifier)
    if target is None:
        return Preview((), f"Source {source.name}: {problem}.")
    try:
        with source.open(inst) as reader:
            look = reader.look({})
    except SourceUnavailable as error:
        return Preview((), f"{source.place} can't be read: {error.message}.")
    found = sort_items(inst, source, target, look)
    words = f"{_items(len(found.new))} to take in from {source.place}"
    problems = [*look.problems, *_words(found.refused)]
    return Preview([one.name for one in found.new], sentences(words, problems))


def last_message(inst: Installation, source: RemoteSource) -> str:
    """Return what the last look at a source found, and when the next one is."""
    progress = _progress(inst, source)
    if progress.looked_at is None:
        return f"{source.place} has not been looked at yet."
    return f"{progress.message} {_next_look(progress)}"


def take_in(
    inst: Installation,
    source: RemoteSource,
    on_progress: Callable[[int, int], None] | None = None,
) -> IntakeReport:
    """Fetch and register all new items of a source that is due.

    Safe to run concurrently, to interrupt and to repeat. ``on_progress`` is called with (items done, items
    in all).
    """
    report = IntakeReport()
    progress = _progress(inst, source)
    if not progress.is_due:
        return report
    target, problem = find_target(inst, source.parser, source.classifier)
    if target is None:
        report.messages.append(f"Source {source.name}: {problem}")
        return report
    stretch = Stretch(inst, source, target, report, on_progress)
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
        after = after_part(progress, f"{message} More follow.")
    elif stretch.is_complete:
        after = after_success(progress, source.every, message)
    else:
        after = after_delay(progress, source.every, message, stretch.retry_after)
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
    failed = after_failure(
        progress, source.every, f"{message}.", retryable=error.retryable, retry_after=error.retry_after
    )
    _store(inst, source, failed)
    return message


def _words(lines: Sequence[Line]) -> list[str]:
    return [f"{line.item}: {line.message}" for line in lines]


def _items(count: int) -> str:
    return "1 document" if count == 1 else f"{count} documents"
