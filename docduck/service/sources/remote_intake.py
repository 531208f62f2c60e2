"""Intake from remote sources: look, fetch what the ledger doesn't know, register it in steps.

An item is registered in one transaction with its ledger entry, and the source's cursor moves only once all
items of a look are done. So an interruption at any moment neither loses nor doubles a document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from docduck.documents.detection.sniff import stream_type
from docduck.errors import TooLarge
from docduck.files import Batch
from docduck.files.names import key_of
from docduck.service.core.installation import Installation
from docduck.service.parsers.settings_schema import SenderFilter
from docduck.service.sources import ledger
from docduck.service.sources.item_registration import (
    StoredItem,
    is_done,
    line_of,
    record_items,
    register_items,
)
from docduck.service.sources.ledger import TAKEN, ItemOutcome, Line
from docduck.service.sources.remote_source import RemoteSource
from docduck.service.sources.report import IntakeReport, count_lines, sentences
from docduck.service.sources.sender_filter import SENDER_FILTERED, accepts, sender_filter
from docduck.service.sources.source_state import (
    Progress,
    after_failure,
    after_success,
    read_progress,
    write_progress,
)
from docduck.service.sources.targets import Target, find_target
from docduck.sources.remote import (
    ItemGone,
    ItemUnavailable,
    Look,
    RemoteItem,
    SourceReader,
    SourceUnavailable,
)


@dataclass(frozen=True, slots=True)
class RemoteState:
    """What a look found: the number of ``new`` items, for the target ``label``, and a message."""

    new: int
    label: str | None
    message: str


def look_at(inst: Installation, source: RemoteSource, *, at_once: bool = False) -> RemoteState:
    """Look at a source if it is due, or ``at_once``, without fetching items; store when to look again."""
    progress = _progress(inst, source)
    if not (progress.is_due or at_once):
        return RemoteState(0, None, f"{progress.message} {_next_look(progress)}")
    target, problem = find_target(inst, source.parser, source.classifier)
    if target is None:
        return RemoteState(0, None, f"Source {source.name}: {problem}.")
    try:
        with source.open(inst) as reader:
            look = reader.look(progress.cursor)
    except SourceUnavailable as error:
        return RemoteState(0, target.label, _failed(inst, source, progress, error))
    new, refused = _sorted(inst, source, target, look)
    if new or look.has_more:
        words = f"{_items(len(new))} to take in from {source.place}"
        return RemoteState(max(1, len(new)), target.label, sentences(words, look.problems))
    record_items(inst, source, refused)
    message = sentences(f"Nothing new in {source.place}", [*look.problems, *_words(refused)])
    _store(inst, source, after_success(replace(progress, cursor=look.cursor), source.every, message))
    return RemoteState(0, target.label, message)


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
    new, refused = _sorted(inst, source, target, look)
    words = f"{_items(len(new))} to take in from {source.place}"
    return Preview([one.name for one in new], sentences(words, [*look.problems, *_words(refused)]))


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
    *,
    at_once: bool = False,
) -> IntakeReport:
    """Fetch and register all new items of a source that is due, or ``at_once``.

    Safe to run concurrently, to interrupt and to repeat. ``on_progress`` is called with (items done, items
    in all).
    """
    report = IntakeReport()
    progress = _progress(inst, source)
    if not (progress.is_due or at_once):
        return report
    target, problem = find_target(inst, source.parser, source.classifier)
    if target is None:
        report.messages.append(f"Source {source.name}: {problem}")
        return report
    try:
        with source.open(inst) as reader:
            while True:
                look = reader.look(progress.cursor)
                report.messages += look.problems
                is_complete = _take(inst, source, target, reader, look, report, on_progress)
                if is_complete:
                    progress = replace(progress, cursor=look.cursor)
                    _store(inst, source, replace(progress, failures=0))
                if not (look.has_more and is_complete):
                    break
    except SourceUnavailable as error:
        report.messages.append(_failed(inst, source, progress, error))
        return report
    message = sentences(f"{_items(report.registered)} taken in from {source.place}", report.messages)
    _store(inst, source, after_success(progress, source.every, message))
    return report


def _take(
    inst: Installation,
    source: RemoteSource,
    target: Target,
    reader: SourceReader,
    look: Look,
    report: IntakeReport,
    on_progress: Callable[[int, int], None] | None,
) -> bool:
    """Take in a look's items; return whether all are done."""
    new, refused = _sorted(inst, source, target, look)
    senders = sender_filter(inst, target)
    record_items(inst, source, refused)
    count_lines(report, target.label, refused, source.place)
    done, is_complete = 0, True
    for step in _steps(new, inst.settings.intake_batch):
        stored, lines = _fetched(inst, target, reader, step, senders)
        record_items(inst, source, lines)
        registered = register_items(inst, source, target, stored) if stored else []
        is_complete &= all(line.outcome is not ItemOutcome.WAITING for line in [*lines, *registered])
        count_lines(report, target.label, [*lines, *registered], source.place)
        taken = {line.item for line in registered if line.outcome in TAKEN}
        reader.finish([one.item for one in stored if one.item.name in taken])
        done += len(step)
        if on_progress:
            on_progress(done, len(new))
    return is_complete


def _sorted(
    inst: Installation, source: RemoteSource, target: Target, look: Look
) -> tuple[list[RemoteItem], list[Line]]:
    """Return the items to fetch, and lines about those that are refused for a reason that is new."""
    keys = {key_of(item.name): item for item in look.items}
    with inst.catalog.read_session() as session:
        known = ledger.entries(session, target.team_id, source.name, list(keys))
    new: list[RemoteItem] = []
    refused: list[Line] = []
    for key, item in keys.items():
        entry = known.get(key)
        if item.refusal is not None:
            line = line_of(target, item, ItemOutcome.REFUSED, item.refusal)
            if ledger.is_news(line, entry):
                refused.append(line)
        elif not is_done(entry, item, target):
            new.append(item)
    return new, refused


def _fetched(
    inst: Installation,
    target: Target,
    reader: SourceReader,
    items: Sequence[RemoteItem],
    senders: SenderFilter,
) -> tuple[list[StoredItem], list[Line]]:
    """Fetch items into the store; return them, and lines about those that can't be had."""
    stored: list[StoredItem] = []
    lines: list[Line] = []
    with inst.files.batch() as batch:
        for item in items:
            try:
                stored.append(_fetch(inst, reader, item, batch, senders))
            except ItemGone:
                lines.append(line_of(target, item, ItemOutcome.VANISHED, "went away before it was taken"))
            except ItemUnavailable as error:
                lines.append(line_of(target, item, ItemOutcome.REFUSED, str(error)))
            except TooLarge as error:
                words = f"{error.message}; raise DOCDUCK_MAX_FILE_BYTES to allow it"
                lines.append(line_of(target, item, ItemOutcome.REFUSED, words))
    return stored, lines


def _fetch(
    inst: Installation, reader: SourceReader, item: RemoteItem, batch: Batch, senders: SenderFilter
) -> StoredItem:
    incoming = batch.begin(inst.settings.max_file_bytes)
    try:
        got = reader.fetch(item, incoming.write)
        if "senderEmail" in got.detail and not accepts(senders, got.detail["senderEmail"]):
            raise ItemUnavailable(SENDER_FILTERED)
        stored = incoming.finish()
    except BaseException:
        incoming.abort()
        raise
    with batch.open(stored) as content:
        kind = stream_type(content, got.name)
    return StoredItem(item, stored, got.name, kind, got.detail, got.identity)


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
    later = after_failure(progress, source.every, f"{message}.", error.seconds)
    if not error.again:
        later = replace(later, next_look_at=after_success(progress, source.every, "").next_look_at)
    _store(inst, source, later)
    return message


def _steps(items: Sequence[RemoteItem], size: int) -> Iterator[Sequence[RemoteItem]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _words(lines: Sequence[Line]) -> list[str]:
    return [f"{line.item}: {line.message}" for line in lines]


def _items(count: int) -> str:
    return "1 document" if count == 1 else f"{count} documents"
