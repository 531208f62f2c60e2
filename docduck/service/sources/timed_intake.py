"""Which items of a remote source are new or changed; fetching and registering them, for a limited time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from docduck import clock
from docduck.documents.detection.sniff import stream_type
from docduck.errors import TooLarge
from docduck.files import Batch
from docduck.files.names import file_name, key_of
from docduck.service.accounts.quotas import quotas
from docduck.service.core.installation import Installation
from docduck.service.core.pages import chunks
from docduck.service.sources import ledger
from docduck.service.sources.ledger import INTAKE_BATCH, TAKEN, Entry, ItemOutcome, Line
from docduck.service.sources.registration import StoredItem, line_of, record_items, register_items
from docduck.service.sources.remote_sources import RemoteSource
from docduck.service.sources.report import IntakeReport, count_lines
from docduck.service.sources.targets import SENDER_FILTERED, Target, accepts, sender_filter
from docduck.sources.remote import (
    ItemDelayed,
    ItemGone,
    ItemUnavailable,
    NewItems,
    RemoteItem,
    SourceReader,
    SourceUnavailable,
    Write,
)


class TimedIntake:
    """What is taken in by one reader, in at most ``source_seconds`` and the time for one item.

    ``is_complete`` is whether no item was left for later, ``is_over`` whether the time has run out, and
    ``has_progress`` whether any item was done with.
    """

    def __init__(
        self, inst: Installation, source: RemoteSource, target: Target, report: IntakeReport
    ) -> None:
        self._inst, self._source, self._target, self._report = inst, source, target, report
        self._senders = sender_filter(inst, target)
        self._end = time.monotonic() + inst.settings.source_seconds
        self.is_complete = True
        self.is_over = False
        self.has_progress = False
        self.retry_after = 0.0

    def ends(self) -> bool:
        """Return whether the time has run out."""
        self.is_over = self.is_over or time.monotonic() > self._end
        return self.is_over

    def take(self, reader: SourceReader, look: NewItems) -> None:
        """Take in a look's items; raise SourceUnavailable once those before the failure are registered."""
        items = sort_items(self._inst, self._source, self._target, look)
        new = self._allowed(items.new)
        self._record(items.refused)
        if items.unfinished:
            reader.finish(items.unfinished)
        for step in chunks(new, INTAKE_BATCH):
            stored, lines, failure = self._fetched(reader, step)
            self._record(lines)
            self._register(reader, step, stored)
            if failure is not None:
                raise failure
            if self.is_over:
                return

    def _allowed(self, items: Sequence[RemoteItem]) -> Sequence[RemoteItem]:
        """Return the first items, as many as the team's quota has room for."""
        quota = quotas(self._inst).get(self._target.team_id)
        if quota is None or len(items) <= quota.left:
            return items
        self.is_complete = False
        self._report.messages.append(quota.message(len(items)))
        return items[: quota.left]

    def _record(self, lines: Sequence[Line]) -> None:
        record_items(self._inst, self._source, lines)
        self._count(lines)

    def _register(
        self, reader: SourceReader, items: Sequence[RemoteItem], stored: Sequence[StoredItem]
    ) -> None:
        if not stored:
            return
        registered = register_items(self._inst, self._source, stored)
        self._count(registered.lines)
        taken = registered.taken_keys()
        reader.finish([item for item in items if key_of(item.name) in taken])

    def _count(self, lines: Sequence[Line]) -> None:
        waiting = sum(line.outcome is ItemOutcome.WAITING for line in lines)
        self.is_complete &= waiting == 0
        self.has_progress |= len(lines) > waiting
        count_lines(self._report, self._target.label, lines, self._source.place)

    def _fetched(
        self, reader: SourceReader, items: Sequence[RemoteItem]
    ) -> tuple[list[StoredItem], list[Line], SourceUnavailable | None]:
        """Fetch items into the store until time runs out or the source fails.

        Return them, lines about those that can't be had, and the failure.
        """
        stored: list[StoredItem] = []
        lines: list[Line] = []
        with self._inst.files.batch() as batch:
            for item in items:
                if (self.has_progress or stored or lines) and self.ends():
                    self.is_complete = False
                    break
                try:
                    stored.append(self._fetch(reader, item, batch))
                except ItemGone:
                    lines.append(self._line(item, ItemOutcome.VANISHED, "went away before it was taken"))
                except ItemUnavailable as error:
                    lines.append(self._line(item, ItemOutcome.REFUSED, str(error)))
                except TooLarge as error:
                    words = f"{error.message}; raise DOCDUCK_MAX_FILE_BYTES to allow it"
                    lines.append(self._line(item, ItemOutcome.REFUSED, words))
                except ItemDelayed as error:
                    lines.append(self._line(item, ItemOutcome.WAITING, f"{error.message}; it is tried again"))
                    self.retry_after = max(self.retry_after, error.retry_after or 0.0)
                except SourceUnavailable as error:
                    lines.append(self._line(item, ItemOutcome.WAITING, f"{error.message}; it is tried again"))
                    return stored, lines, error
        return stored, lines, None

    def _fetch(self, reader: SourceReader, item: RemoteItem, batch: Batch) -> StoredItem:
        settings, began = self._inst.settings, clock.now()
        incoming = batch.begin(settings.max_file_bytes)
        try:
            got = reader.fetch(item, _in_time(incoming.write, settings.source_seconds))
            if "senderEmail" in got.detail and not accepts(self._senders, got.detail["senderEmail"]):
                raise ItemUnavailable(SENDER_FILTERED)
            stored = incoming.finish()
        except BaseException:
            incoming.abort()
            raise
        with batch.open(stored) as content:
            kind = stream_type(content, got.name)
        line = self._line(item, ItemOutcome.REGISTERED)
        name = file_name(got.name)
        return StoredItem(self._target, line, item.name, stored, name, kind, got.detail, got.identity, began)

    def _line(self, item: RemoteItem, outcome: ItemOutcome, message: str = "") -> Line:
        return line_of(self._target, item, outcome, message)


def _in_time(write: Write, seconds: float) -> Write:
    """Return ``write`` that raises ItemDelayed after some time."""
    end = time.monotonic() + seconds

    def writing(data: bytes) -> object:
        if time.monotonic() > end:
            raise ItemDelayed(f"takes longer than {seconds:g} s; raise DOCDUCK_SOURCE_SECONDS")
        return write(data)

    return writing


@dataclass(slots=True)
class SortedItems:
    """A look's items: those to fetch, those still to be finished, and lines about refusals that are new."""

    new: list[RemoteItem] = field(default_factory=list)
    unfinished: list[RemoteItem] = field(default_factory=list)
    refused: list[Line] = field(default_factory=list)

    @property
    def todo(self) -> int:
        """How many items there is something to do with."""
        return len(self.new) + len(self.unfinished)


def sort_items(inst: Installation, source: RemoteSource, target: Target, look: NewItems) -> SortedItems:
    """Sort the items of a look.

    Those that could not be fetched before come last, so that they don't keep others waiting.
    """
    keys = {key_of(item.name): item for item in look.items}
    with inst.catalog.read_session() as session:
        known = ledger.entries(session, target.team_id, source.name, list(keys))
    items = SortedItems()
    later: list[RemoteItem] = []
    for key, item in keys.items():
        entry = known.get(key)
        if item.refusal is not None:
            line = line_of(target, item, ItemOutcome.REFUSED, item.refusal)
            if ledger.is_news(line, entry):
                items.refused.append(line)
        elif not _is_done(entry, item, target):
            (later if entry is not None and entry.outcome == ItemOutcome.WAITING else items.new).append(item)
        elif source.finishes and entry is not None and entry.outcome in TAKEN:
            items.unfinished.append(item)
    items.new += later
    return items


def _is_done(entry: Entry | None, item: RemoteItem, target: Target) -> bool:
    """Return whether the ledger knows that this version of the item needs no more work."""
    if entry is None or entry.target_id != target.id or entry.fingerprint != item.fingerprint:
        return False
    return entry.outcome in TAKEN or (entry.outcome == ItemOutcome.REFUSED and item.refusal is None)
