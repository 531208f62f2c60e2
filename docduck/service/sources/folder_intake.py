"""Intake from folders: every file is stored and registered exactly once.

The ledger knows files by path and state (size and times), so unchanged folders are not read again; the
content decides whether a file is new. A document and its ledger entry are written in one transaction, and
only then is the file moved or deleted. So an interruption at any moment neither loses nor doubles a document.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from sqlalchemy.orm import Session

from docduck.service.accounts.quotas import quotas
from docduck.service.core.installation import Installation
from docduck.service.core.pages import chunks
from docduck.service.core.transactions import retried
from docduck.service.sources import ledger
from docduck.service.sources.folder_files import can_open, copy_to_store, dispose
from docduck.service.sources.ledger import INTAKE_BATCH, Entry, ItemOutcome, Line
from docduck.service.sources.registration import StoredItem, register_items
from docduck.service.sources.report import IntakeReport, Preview, SourceState, count_lines, sentences
from docduck.service.sources.scan import (
    LEFT_IN_PLACE,
    Decision,
    SourceFile,
    SourceScan,
    decide,
    open_files,
    scan,
)
from docduck.service.sources.sources import FolderSource

_READERS = 4


@dataclass(slots=True)
class _Sorted:
    """A source's files by what to do with them."""

    ready: list[SourceFile] = field(default_factory=list)
    unfinished: list[SourceFile] = field(default_factory=list)
    lines: list[tuple[SourceFile, Line]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    stuck: set[str] = field(default_factory=set)


def inspect_folder(
    inst: Installation, source: FolderSource, last_signature: str | None = None
) -> SourceState:
    """Return the state of a source without reading files.

    Only refusals, and the start of watching a file with a time in the future, are written to the ledger.
    """
    scanned = scan(inst, source)
    if last_signature and scanned.signature == last_signature:
        left = scanned.refused(inst.settings)
        message = sentences(f"Nothing new in {source.path}", [*scanned.problems, *left])
        return SourceState(0, 0, message, last_signature, scanned)
    sorting, entries = _sorted(inst, source, scanned)
    now = time.time()
    watched = [
        line
        for file, line in sorting.lines
        if (line.outcome is ItemOutcome.REFUSED or file.found.changed_ns > now * 1e9)
        and ledger.is_news(line, entries.get(file.key))
    ]
    if watched:
        with inst.catalog.transaction() as session:
            ledger.write_unregistered(session, source.name, watched)

    todo = [file for file in [*sorting.ready, *sorting.unfinished] if file.key not in sorting.stuck]
    waiting = [file for file, line in sorting.lines if line.outcome is ItemOutcome.WAITING]
    at_rest = not (todo or waiting or sorting.stuck)
    signature = scanned.signature if at_rest else f"{scanned.signature}-{time.time_ns()}"
    message = _message(source, scanned, sorting, len(todo), len(waiting))
    return SourceState(len(todo), len(waiting), message, signature, scanned)


def preview_files(inst: Installation, source: FolderSource) -> Preview:
    """Return the files that ``ingest_folder`` would register."""
    scanned = scan(inst, source)
    sorting, _ = _sorted(inst, source, scanned)
    labels = [file.label for file in sorting.ready]
    waiting = sum(line.outcome is ItemOutcome.WAITING for _, line in sorting.lines)
    return Preview.of(labels, _message(source, scanned, sorting, len(labels), waiting))


def ingest_folder(
    inst: Installation, source: FolderSource, scanned: SourceScan | None = None
) -> IntakeReport:
    """Register all new files of a source, then move or delete them as configured.

    Safe to run concurrently, to interrupt and to repeat. A bad file doesn't stop the others. Pass the scan of
    ``inspect_folder`` as ``scanned`` to save another one.
    """
    report = IntakeReport()
    scanned = scanned or scan(inst, source)
    report.messages += scanned.problems
    sorting, entries = _sorted(inst, source, scanned)
    lines = [line for _, line in sorting.lines]
    news = [line for file, line in sorting.lines if ledger.is_news(line, entries.get(file.key))]

    def write_news() -> int:
        with inst.catalog.transaction() as session:
            ledger.write_unregistered(session, source.name, news)
            return _note_gone(session, source, scanned)

    report.vanished += retried(write_news)
    _count_files(report, lines, {file.key: file for file, _ in sorting.lines})
    report.messages += dispose(inst, source, sorting.unfinished)

    for batch, results in _copied_ahead(inst, sorting.ready):
        stored = [result for result in results if isinstance(result, StoredItem)]
        lines = [result for result in results if isinstance(result, Line)]
        registered = register_items(inst, source.origin, stored, lines)
        _count_files(report, registered.lines, {file.key: file for file in batch})
        taken = registered.taken_keys()
        report.messages += dispose(inst, source, [file for file in batch if file.key in taken])
    return report


def _sorted(
    inst: Installation, source: FolderSource, scanned: SourceScan
) -> tuple[_Sorted, dict[str, Entry]]:
    """Return the files that there is something to do with, sorted, and what the ledger knows of them."""
    with inst.catalog.read_session() as session:
        files, entries = open_files(session, source, scanned)
    sorting, now = _Sorted(), time.time()
    limited = quotas(inst)
    late: Counter[str] = Counter()
    room = {team_id: quota.left for team_id, quota in limited.items()}
    for file in files:
        entry = entries.get(file.key)
        decision, words = decide(file, entry, source, inst.settings, now)
        match decision:
            case Decision.READY if room.get(file.target.team_id) == 0:
                sorting.stuck.add(file.key)
                late[file.target.team_id] += 1
            case Decision.READY:
                if file.target.team_id in room:
                    room[file.target.team_id] -= 1
                sorting.ready.append(file)
                if entry is not None and entry.outcome == ItemOutcome.UNREADABLE and not can_open(file):
                    sorting.stuck.add(file.key)
                    sorting.left.append(f"{file.label}: {entry.message}")
            case Decision.UNFINISHED:
                sorting.unfinished.append(file)
                if words.startswith(LEFT_IN_PLACE):
                    sorting.stuck.add(file.key)
                    sorting.left.append(f"{file.label}: {words}")
            case Decision.WAITING:
                sorting.lines.append((file, file.line(ItemOutcome.WAITING, words)))
            case Decision.REFUSED:
                sorting.lines.append((file, file.line(ItemOutcome.REFUSED, words)))
                sorting.left.append(f"{file.label}: {words}")
    sorting.left += [limited[team_id].message(count) for team_id, count in late.items()]
    return sorting, entries


def _note_gone(session: Session, source: FolderSource, scanned: SourceScan) -> int:
    """Update entries of files that are gone: vanished, or disposed of before an interruption.

    Return how many vanished. If a folder could not be read, nothing is updated.
    """
    if scanned.problems:
        return 0
    here = {file.key for file in scanned.files}
    count = 0
    for team_id, target_ids in scanned.target_ids().items():
        gone = [
            entry.key
            for entry in ledger.pending(session, team_id, source.name, target_ids)
            if entry.key not in here
        ]
        ledger.mark_vanished(session, team_id, source.name, gone)
        count += len(gone)
        if source.after != "keep":
            done = [e.key for e in ledger.unfinished(session, team_id, source.name) if e.key not in here]
            ledger.mark_finished(session, team_id, source.name, done)
    return count


def _count_files(report: IntakeReport, lines: Iterable[Line], files: Mapping[str, SourceFile]) -> None:
    for line in lines:
        file = files[line.key]
        count_lines(report, file.target.label, [line], str(file.folder.bounds))


def _copied_ahead(
    inst: Installation, files: Sequence[SourceFile]
) -> Iterator[tuple[Sequence[SourceFile], list[StoredItem | Line]]]:
    """Yield batches of files with their copies; the next batch is copied meanwhile."""
    batches = list(chunks(files, INTAKE_BATCH))
    with ThreadPoolExecutor(_READERS, thread_name_prefix="intake") as pool:
        ahead: Iterator[list[StoredItem | Line]] = iter(())
        for index in range(len(batches) + 1):
            results = list(chain.from_iterable(ahead))
            if index < len(batches):
                # Equal parts, one per reader, in the same order.
                shares = chunks(batches[index], math.ceil(len(batches[index]) / _READERS))
                ahead = pool.map(partial(copy_to_store, inst), shares)
            if index > 0:
                yield batches[index - 1], results


def _message(source: FolderSource, scanned: SourceScan, sorting: _Sorted, todo: int, waiting: int) -> str:
    parts = [f"{_files(todo)} to take in from {source.path}" if todo else f"Nothing new in {source.path}"]
    if waiting:
        first = next(
            f"{o.label} {line.message}" for o, line in sorting.lines if line.outcome == ItemOutcome.WAITING
        )
        parts.append(f"{_files(waiting)} not yet settled (such as {first})")
    return sentences("; ".join(parts), [*scanned.problems, *sorting.left])


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"
