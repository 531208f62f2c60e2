"""Processing: a run drains the queues of its parsers through the pool of isolated workers.

    claim a batch → worker pool reads and extracts → results into the catalog → rows into the warehouse

Everything is written in batches, and each step can be repeated: a run that dies at any moment loses
its claims, and the next one takes the documents up.
"""

from __future__ import annotations

import gc
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from sqlalchemy.exc import IntegrityError, OperationalError

from docduck.documents.containers import ZIP
from docduck.errors import DocduckError, Transient, UnsupportedFile
from docduck.extraction.configured import worker_limits
from docduck.extraction.expansion import Expanded, ExpandTask, Parting, expanding_pool
from docduck.extraction.job import ReadTask
from docduck.extraction.model.options import model_options
from docduck.extraction.options import ExtractOptions, ReadingLocale
from docduck.extraction.pool import Outcome, WorkerPool
from docduck.owner import this_process
from docduck.service import nesting, projection, queue, values
from docduck.service.drain_report import DrainReport, Tally
from docduck.service.heartbeat import Heartbeat
from docduck.service.installation import Installation
from docduck.service.model_spending import BUDGET_SPENT, ModelBudget
from docduck.service.operations import claim_reason
from docduck.service.owed_lessons import settle
from docduck.service.parser_settings import reading_of
from docduck.service.results import Reading, finish
from docduck.service.search import upkeep
from docduck.service.watched_parsers import LoadedParser, WatchedParsers

_log = logging.getLogger(__name__)

_POLL_SECONDS = 0.1
_FLUSH_SECONDS = 1.0
_TRIES = 3
_HOUSEKEEPING_SECONDS = 5.0
_UPKEEP_SECONDS = 0.2
_HELD_SECONDS = 2.0
_LEAST_HELD = 4
_GUESSED_SECONDS = 1.0
_NEWEST_SHARE = 0.1
_OBJECTS_PER_COLLECTION = 50_000

Pool = WorkerPool[ExpandTask, Expanded]


def drain(
    inst: Installation,
    parser_ids: Sequence[str],
    *,
    idle_seconds: float | None = None,
    max_seconds: float | None = None,
    on_progress: Callable[[int], None] | None = None,
    stop: Callable[[], bool] | None = None,
    expecting: Callable[[], int] | None = None,
    run_id: str | None = None,
    on_claimed: Callable[[Sequence[queue.Claim]], None] | None = None,
) -> list[DrainReport]:
    """Process what is queued for these parsers, and what comes meanwhile; one report per parser.

    Ends when nothing came for ``idle_seconds``, or after ``max_seconds`` (both from the settings when
    None), or when ``stop`` says so. ``on_progress`` is told how many documents are done. While
    ``expecting`` says how many more are on their way, waiting for them does not count as idle.
    ``run_id`` names the run in the documents' history, and ``on_claimed`` is told,
    several times a second, what was claimed since it was told last, if anything.
    """
    settings = inst.settings
    limits = worker_limits(settings)
    owner = this_process()
    settle(inst, parser_ids, seconds=settings.learn_seconds)
    with (
        expanding_pool(
            settings.workers, limits, inst.files.root, tasks_per_worker=settings.worker_tasks
        ) as pool,
        Heartbeat(inst, owner),
        _rare_collection(),
        TemporaryDirectory(prefix="docduck-run-") as folder,
    ):
        # Most runs have a document to read: its worker starts while the rest is made ready.
        pool.expect(1)
        run = _Drain(inst, parser_ids, owner, pool, Path(folder), run_id, on_claimed)
        try:
            run.loop(
                settings.drain_idle_seconds if idle_seconds is None else idle_seconds,
                settings.drain_max_seconds if max_seconds is None else max_seconds,
                on_progress or (lambda done: None),
                stop or (lambda: False),
                expecting or (lambda: 0),
            )
        finally:
            queue.release(inst, owner, "its run ended before it")
        run.hand_over(force=True)
    return run.tally.reports()


class _Drain:
    def __init__(
        self,
        inst: Installation,
        parser_ids: Sequence[str],
        owner: str,
        pool: Pool,
        folder: Path,
        run_id: str | None,
        on_claimed: Callable[[Sequence[queue.Claim]], None] | None,
    ) -> None:
        self.inst = inst
        self.owner = owner
        self.claim_reason = claim_reason(run_id) if run_id else None
        self.on_claimed = on_claimed or (lambda claims: None)
        self.pool = pool
        self.parsers = WatchedParsers(inst, parser_ids, folder)
        self.tally = Tally(self.parsers.all())
        self.claims: dict[str, tuple[queue.Claim, LoadedParser]] = {}
        self.readings: deque[Reading] = deque()
        self.last_flush = time.monotonic()
        self.last_hand_over = self.last_flush
        self.last_housekeeping = 0.0
        self.next_claim = 0.0
        self.typical_seconds = _GUESSED_SECONDS
        self.model = model_options(inst.settings)
        self.budget = ModelBudget(inst)
        self.done = 0

    def loop(
        self,
        idle_seconds: float,
        max_seconds: float,
        on_progress: Callable[[int], None],
        stop: Callable[[], bool],
        expecting: Callable[[], int],
    ) -> None:
        begin = idle_since = time.monotonic()
        self.hand_over()
        while True:
            self.pool.expect(expecting())
            closing = stop() or time.monotonic() - begin > max_seconds
            if not closing:
                self._housekeeping()
                self.on_claimed(self._claim())
            busy, since = bool(self.claims or self.readings), time.monotonic()
            outcomes = self.pool.wait(_POLL_SECONDS) if self.claims else []
            self.readings.extend(self._reading(outcome) for outcome in outcomes)
            if self._flush_due():
                self.flush()
                on_progress(self.done)
            if busy:
                idle_since = time.monotonic()
                self.tally.worked(idle_since - since)
                if self._hand_over_due():
                    self.hand_over()
            elif closing or time.monotonic() - idle_since >= idle_seconds:
                return
            else:
                self.hand_over()
                time.sleep(_POLL_SECONDS)
                if expecting():
                    idle_since = time.monotonic()

    def flush(self) -> None:
        """Write the readings at hand to the catalog."""
        readings, self.readings = list(self.readings), deque()
        self.last_flush = time.monotonic()
        if readings:
            held = self._finish(readings)
            self.tally.add(held)
            self.done += sum(not reading.members for reading in held)

    def _finish(self, readings: Sequence[Reading]) -> list[Reading]:
        """``finish``, tried again when another transaction took an external id or a lock meanwhile."""
        tries = 0
        while True:
            try:
                with self.inst.catalog.transaction() as session:
                    return finish(session, readings, self.owner)
            except (IntegrityError, OperationalError):
                tries += 1
                if tries == _TRIES:
                    raise

    def hand_over(self, force: bool = False) -> None:
        """Bring the warehouse up to the catalog, and the analysts' copy when it is due.

        What can't be handed over now, because another process holds the warehouse, stays noted.
        """
        try:
            done = projection.project(self.inst, self.parsers.ids)
            for warning in done.warnings:
                _log.warning("warehouse: %s", warning)
            projection.publish(self.inst, force=force, at_rest=not self.claims)
        except Transient as error:
            _log.warning("the warehouse is behind for now: %s", error)
        self.last_hand_over = time.monotonic()

    def _housekeeping(self) -> None:
        if time.monotonic() - self.last_housekeeping >= _HOUSEKEEPING_SECONDS:
            self.last_housekeeping = time.monotonic()
            queue.release_lost(self.inst, self.owner)
            self.parsers.refresh(self.parsers.ids)
            upkeep.bring_up_to_date(self.inst, _UPKEEP_SECONDS, self.parsers.ids)
            upkeep.fold_counts(self.inst)

    def _claim(self) -> list[queue.Claim]:
        """Claim just enough to keep the workers busy, and return it; the rest is left to other runs.

        Each document is read by its parser as it is after the claim, so every change that was answered
        before the document was queued counts.
        """
        settings = self.inst.settings
        seconds_worth = int(_HELD_SECONDS * settings.workers / self.typical_seconds)
        enough = min(settings.claim_batch, max(_LEAST_HELD * settings.workers, seconds_worth))
        if len(self.claims) > enough // 2 or (self.claims and time.monotonic() < self.next_claim):
            return []
        found = queue.claim(
            self.inst, self.parsers.usable(), self.owner, enough - len(self.claims), self.claim_reason
        )
        if len(found) < enough - len(self.claims):
            self.next_claim = time.monotonic() + _POLL_SECONDS
        if found:
            self.parsers.refresh({claim.parser_id for claim in found})
        begun = [claim for claim in found if self._begin(claim)]
        if len(begun) < len(found):
            unusable = [claim.document_id for claim in found if claim not in begun]
            queue.release(self.inst, self.owner, "its parser can't be used", unusable)
        return begun

    def _begin(self, claim: queue.Claim) -> bool:
        """Hand a claimed document to the workers; False when its parser was deleted or broken meanwhile."""
        parser = self.parsers.get(claim.parser_id)
        if parser is None:
            return False
        accepted = parser.settings.accepted_file_types
        if accepted and claim.content_type not in accepted:
            self.readings.append(Reading(claim, parser.view, error=UnsupportedFile(claim.content_type)))
        else:
            self.claims[claim.document_id] = (claim, parser)
            self.pool.submit(claim.document_id, self._task(claim, parser))
        return True

    def _task(self, claim: queue.Claim, parser: LoadedParser) -> ExpandTask:
        mail = parser.settings.email_parsing
        kept = mail.attachments
        unpack = claim.content_type == ZIP and nesting.may_unpack(claim.source_detail)
        if kept == "apart" and nesting.may_part(claim.source_detail):
            parting = Parting(
                mail.parse_email_body,
                tuple(parser.settings.accepted_file_types),
                self.inst.settings.max_attachments,
            )
            return ExpandTask(self._read_task(claim, parser, kept), parting, unpack)
        whole = self._read_task(claim, parser, "merged" if kept == "apart" else kept)
        return ExpandTask(whole, unpack=unpack)

    def _read_task(
        self, claim: queue.Claim, parser: LoadedParser, kept: Literal["apart", "merged", "only"]
    ) -> ReadTask:
        settings = parser.settings
        locale = settings.reading_locale
        return ReadTask(
            path=self.inst.files.path(claim.sha256),
            name=claim.name,
            fields=parser.fields,
            lessons=parser.lessons,
            document_id=claim.document_id,
            reading=replace(reading_of(settings, self.inst.settings), attachments=kept),
            extraction=self._with_model(
                claim.team_id,
                ExtractOptions(
                    mode=settings.data_extraction_mode,
                    tables=settings.advanced_table_extraction,
                    locale=ReadingLocale(
                        language=locale.language,
                        decimal_separator=locale.decimal_separator,
                        date_order=locale.date_order,
                        time_zone=locale.time_zone,
                    ),
                ),
            ),
        )

    def _with_model(self, team_id: str, options: ExtractOptions) -> ExtractOptions:
        """The same with the language model, where the mode asks for it and the team may spend on it."""
        if options.mode != "accurate" or self.model is None:
            return options
        if self.budget.is_spent(team_id):
            return replace(options, no_model=BUDGET_SPENT)
        return replace(options, model=self.model)

    def _reading(self, outcome: Outcome[Expanded]) -> Reading:
        claim, parser = self.claims.pop(outcome.key)
        self.typical_seconds += _NEWEST_SHARE * (max(outcome.seconds, 1e-3) - self.typical_seconds)
        found = outcome.result or Expanded()
        if error := outcome.error or found.error:
            _log_failure(claim, error, outcome.trace)
            return Reading(claim, parser.view, error=error, seconds=outcome.seconds, files=found.files)
        if found.members:
            return Reading(claim, parser.view, members=found.members)
        extraction = found.extraction
        if extraction is None:
            reason = _parted(found)
            return Reading(claim, parser.view, seconds=outcome.seconds, skipped=reason, files=found.files)
        if not parser.settings.confidence_scores.enabled:
            extraction = values.without_confidence(extraction)
        sha256, size = None, 0
        if parser.settings.markdown_parsing.enabled:
            stored = self.inst.files.put_bytes(extraction.markdown.encode("utf-8", "replace"))
            sha256, size = stored.sha256, stored.size
        return Reading(
            claim,
            parser.view,
            extraction,
            mode=parser.settings.data_extraction_mode,
            seconds=outcome.seconds,
            markdown_sha256=sha256,
            markdown_size=size,
            files=found.files,
        )

    def _flush_due(self) -> bool:
        if not self.readings:
            return False
        return not self.claims or time.monotonic() - self.last_flush >= _FLUSH_SECONDS

    def _hand_over_due(self) -> bool:
        """Rows are seen when they are published, so more often than that they need not be handed over."""
        return time.monotonic() - self.last_hand_over >= self.inst.settings.publish_seconds


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Results are many small objects without cycles, among which the collector would search in vain."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_OBJECTS_PER_COLLECTION, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _parted(found: Expanded) -> str:
    """Why a mail is no document itself, in sentences."""
    count = len(found.files)
    files = (
        "its attachment is a document of its own"
        if count == 1
        else f"its {count} attachments are documents of their own"
    )
    return ". ".join((f"Its body is not to be parsed; {files}", *found.left_out))


def _log_failure(claim: queue.Claim, error: DocduckError, trace: str | None) -> None:
    detail = getattr(error, "detail", "") or trace or ""
    place = f"document {claim.document_id} ({claim.name!r})"
    if trace:
        _log.error("%s: %s\n%s", place, error, detail)
    else:
        _log.warning("%s: %s %s", place, error, detail)
