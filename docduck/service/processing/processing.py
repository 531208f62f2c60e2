"""A run: process the queues of all parsers with a pool of worker processes.

    claim a batch → workers read and extract → results into the catalog → rows into the warehouse

Every step is done in batches and can be repeated: the documents of a run that dies are queued again when
its leases expire.
"""

from __future__ import annotations

import datetime as dt
import gc
import logging
import shutil
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from docduck import clock, tracing
from docduck.errors import DiskFull, DocduckError, GivenUp, Transient, WorkerEnded
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.extractors.model.asking.endpoint import Endpoints
from docduck.extraction.jobs.expansion_job import EXPANSION, ExpandTask, ExpansionResult
from docduck.extraction.jobs.kept_pieces import KeptPieces
from docduck.extraction.models import Models, usable_models
from docduck.files import StoreAway
from docduck.owner import HEARTBEAT_SECONDS, this_process
from docduck.service.accounts.accounts import team_weights
from docduck.service.core.installation import Installation
from docduck.service.core.transactions import retried
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.cancellation import cancel_orphans
from docduck.service.documents.claim import Claim, DurationClass
from docduck.service.documents.queries.operations import claim_reason
from docduck.service.outputs import warehouse_sync
from docduck.service.parsers.parsers import parsers_with_ids
from docduck.service.processing import document_queue
from docduck.service.processing.durations import SLOW_SECONDS, keep_estimates, kept_estimates
from docduck.service.processing.extraction_outcome import (
    ExtractionOutcome,
    extraction_outcome,
    refused_type,
)
from docduck.service.processing.fair_scheduling import FairScheduler, HeldBack
from docduck.service.processing.loaded_classifiers import LoadedClassifier, LoadedClassifiers
from docduck.service.processing.loaded_parsers import LoadedParser, LoadedParsers
from docduck.service.processing.long_documents import LongDocument, LongDocuments, forget_pieces
from docduck.service.processing.reading_homes import Heartbeat
from docduck.service.processing.results import store_outcomes
from docduck.service.processing.run_lock import HANDOVER_SECONDS
from docduck.service.processing.run_report import RunReport, Tally
from docduck.service.processing.worker_tasks import WorkerTasks, submit
from docduck.service.search import maintenance
from docduck.warehouse.opening import PUBLISH_SECONDS
from docduck.workers.pool import WorkerPool
from docduck.workers.process import InputUnavailable
from docduck.workers.scratch import scratch_folder
from docduck.workers.task_queue import TaskOutcome

CLAIM_BATCH = 1000
"""Most documents that a run has claimed at a time."""
IDLE_SECONDS = 5
"""How long a run waits for more once its queue is empty."""
LEARN_SECONDS = 30
"""How long a run learns from pending corrections before it reads."""
REPORT_SECONDS = 60
"""Shortest time between two reports of a run that goes on."""

_log = logging.getLogger(__name__)

_POLL_SECONDS = 0.1
_WARM_POLL_SECONDS = 0.5
_FLUSH_SECONDS = 1.0
_HOUSEKEEPING_SECONDS = 5.0
_UPKEEP_SECONDS = 0.2
_SYNC_SECONDS = 2.0
_CLAIMED_SECONDS = 2.0
_QUIET_SECONDS = 10.0
"""How long slow documents keep to their share of the workers after others came."""
_OBJECTS_PER_COLLECTION = 50_000

Pool = WorkerPool[ExpandTask, ExpansionResult]


def _told_nothing(_: object) -> None:
    """Do nothing with what a run tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """When a run ends, what it processes, and what it tells.

    It ends when nothing was queued for ``idle_seconds``, after ``max_seconds`` (None: ``HANDOVER_SECONDS``),
    when ``max_documents`` were claimed, or when ``stop`` returns True; documents in work are finished first.
    While ``expecting`` returns a number of documents that are about to be queued, waiting is not idle; while
    it returns None, the number is not known yet, and it does not end.
    ``stay`` is called with the seconds since there was work; while it returns True, being idle is no reason
    to end, unless documents are left to the next run. With ``only``, it processes documents of the parsers
    and classifiers with these ids alone.

    It calls ``on_progress`` with the number of finished documents, ``on_claimed`` with newly claimed
    documents, and ``on_report`` with the reports so far: the first time that nothing is left to do, and every
    ``REPORT_SECONDS`` in which something has happened. ``run_id`` goes to the documents' history.
    """

    idle_seconds: float = field(default_factory=lambda: IDLE_SECONDS)
    max_seconds: float | None = None
    max_documents: int | None = None
    only: Collection[str] | None = None
    stop: Callable[[], bool] = lambda: False
    stay: Callable[[float], bool] = lambda _: False
    expecting: Callable[[], int | None] = lambda: 0
    on_progress: Callable[[int], None] = _told_nothing
    on_report: Callable[[list[RunReport]], None] = _told_nothing
    on_claimed: Callable[[Sequence[Claim]], None] = _told_nothing
    run_id: str | None = None


def process_queue(inst: Installation, options: RunOptions | None = None) -> list[RunReport]:
    """Process queued documents of all parsers and teams, also those that are queued meanwhile.

    Raise StoreAway if the file store can't be used; what is in work is finished first, the rest stays queued.
    """
    options = options or RunOptions()
    settings = inst.settings
    owner = this_process()
    process_pending(inst, seconds=LEARN_SECONDS)
    inst.side_workers.close()
    models = usable_models(settings)
    if models.problem:
        _log.warning("%s", models.problem)
    with (
        tracing.common(run_id=options.run_id),
        Endpoints(models.by_name.values()) as endpoints,
        WorkerPool(
            EXPANSION,
            settings.workers,
            worker_limits(settings),
            slow_seconds=SLOW_SECONDS,
            most_questions=settings.workers * endpoints.most_requests,
        ) as pool,
        Heartbeat(inst, owner, options.run_id),
        _infrequent_gc(),
        scratch_folder() as folder,
    ):
        # Most runs have a document to read: start its worker early.
        pool.expect(1)
        run = _QueueRun(inst, owner, pool, endpoints, folder, models, options)
        try:
            run.loop()
        finally:
            document_queue.release(inst, owner, "its run ended before it")
        run.sync_warehouse(force=True)
        forget_pieces(inst)
        keep_estimates(inst, run.durations)
    if run.store_away is not None:
        options.on_report(run.tally.reports())
        raise run.store_away
    return run.tally.reports()


class _QueueRun:
    def __init__(
        self,
        inst: Installation,
        owner: str,
        pool: Pool,
        endpoints: Endpoints,
        folder: Path,
        models: Models,
        options: RunOptions,
    ) -> None:
        self.inst = inst
        self.owner = owner
        self.options = options
        self.claim_reason = claim_reason(options.run_id) if options.run_id else None
        self.left = options.max_documents
        self.pool = pool
        self.endpoints = endpoints
        self.parsers = LoadedParsers(inst, folder)
        self.classifiers = LoadedClassifiers(inst)
        self.tasks = WorkerTasks(inst, models)
        self.scheduler = FairScheduler()
        self.durations = kept_estimates(inst)
        self.tally = Tally()
        self.held_back = HeldBack()
        self.store_away: StoreAway | None = None
        self.claims: dict[str, tuple[Claim, LoadedParser | LoadedClassifier, ExpandTask]] = {}
        self.long = LongDocuments(inst, pool, endpoints)
        self.outcomes: deque[ExtractionOutcome] = deque()
        self.last_flush = time.monotonic()
        self.last_sync = self.last_flush
        self.last_housekeeping = 0.0
        self.last_ordinary = 0.0
        self.last_look = 0.0
        self.last_progress = 0.0
        self.next_claim = 0.0
        self.sync_pending = False
        self.is_published = True
        self.next_report = self.last_flush + REPORT_SECONDS
        self.has_news = self.has_reported = self.has_been_idle = False
        self.done = 0

    def loop(self) -> None:
        options = self.options
        max_seconds = HANDOVER_SECONDS if options.max_seconds is None else options.max_seconds
        begin = idle_since = time.monotonic()
        self.sync_warehouse()
        while True:
            # Read before documents are claimed: what was expected until now is queued.
            expected = options.expecting()
            self.pool.expect(expected or 0)
            now = time.monotonic()
            stopping = options.stop()
            is_due = now - begin > max_seconds and not self.pool.slow_in_flight and not self.long
            closing = self.left == 0 or stopping or is_due or self.store_away is not None
            self._look_for_lost()
            if not closing:
                self._housekeeping()
                options.on_claimed(self._claim())
            elif not stopping:
                self._start_pieces()
            # What is left of a long document goes on in another run.
            is_at_long = bool(self.long) and (not stopping or self.long.has_tasks)
            busy, since = bool(self.claims or self.outcomes or is_at_long), time.monotonic()
            self._accept(self.pool.wait(_POLL_SECONDS) if self.claims or self.long.has_tasks else [])
            self._record_progress()
            if self._flush_due():
                self.flush()
                options.on_progress(self.done)
            if busy:
                idle_since = time.monotonic()
                self.tally.worked(idle_since - since)
                if self._sync_due():
                    self.sync_warehouse()
                self._report()
            elif closing:
                return
            else:
                self.sync_warehouse()
                if expected:
                    idle_since = time.monotonic()
                idle = time.monotonic() - idle_since
                if idle >= options.idle_seconds and not self.sync_pending:
                    if self.is_published:
                        self._report(is_idle=True)
                    if expected == 0 and (self.held_back.has_left or not options.stay(idle)):
                        return
                time.sleep(_POLL_SECONDS if idle < options.idle_seconds else _WARM_POLL_SECONDS)

    def _report(self, *, is_idle: bool = False) -> None:
        """Report what has happened, if it is time for it or nothing is left to do for the first time.

        Report then also if nothing has happened: others may have written rows.
        """
        now = time.monotonic()
        if self.has_news and (now >= self.next_report or (is_idle and not self.has_reported)):
            self.has_news, self.has_reported, self.has_been_idle = False, True, True
            self.next_report = now + REPORT_SECONDS
            self.options.on_report(self.tally.reports())
        elif is_idle and not self.has_been_idle:
            self.has_been_idle = True
            self.options.on_report(self.tally.reports())

    def flush(self) -> None:
        """Store the outcomes that have arrived."""
        outcomes, self.outcomes = list(self.outcomes), deque()
        self.last_flush = time.monotonic()
        if outcomes:
            result = retried(partial(store_outcomes, self.inst, outcomes, self.owner))
            for claim, seconds in result.rule_seconds:
                self.scheduler.charge(claim.team_id, claim.target_id, seconds)
            self.outcomes.extendleft(reversed(result.retry))
            self.tally.add(result.stored, result.in_review)
            self.done += sum(not outcome.members for outcome in result.stored)
            self.has_news = True

    def sync_warehouse(self, force: bool = False) -> None:
        """Write pending rows to the warehouse, and publish the analysts' copy when it is due.

        Rows stay pending while another process holds the warehouse, and in a home without tables.
        """
        if self.inst.only_reads:
            return
        try:
            done = warehouse_sync.sync_warehouse(self.inst, seconds=_SYNC_SECONDS)
            self.sync_pending = not done.is_all
            if done.by_parser:
                self.has_news = True
                self.tally.add_written(parsers_with_ids(self.inst, done.by_parser), done.by_parser)
            for warning in done.warnings:
                _log.warning("warehouse: %s", warning)
            warehouse_sync.publish(self.inst, force=force, at_rest=not self.claims and not self.long)
            self.is_published = self.inst.warehouse.is_published()
        except Transient as error:
            self.sync_pending = False
            _log.warning("the warehouse is behind for now: %s", error)
        self.last_sync = time.monotonic()

    def _housekeeping(self) -> None:
        if time.monotonic() - self.last_housekeeping >= _HOUSEKEEPING_SECONDS:
            self.last_housekeeping = time.monotonic()
            document_queue.release_lost(self.inst, self.owner)
            cancel_orphans(self.inst)
            forget_pieces(self.inst)
            keep_estimates(self.inst, self.durations)
            self.parsers.forget_unusable()
            self.scheduler.weights = team_weights(self.inst)
            maintenance.index_stale_documents(self.inst, _UPKEEP_SECONDS, self.parsers.ids)
            maintenance.merge_counters(self.inst)

    def _claim(self) -> list[Claim]:
        """Claim just enough to keep the workers busy; leave the rest to other runs.

        Parsers are loaded after the claim, so that a document is read with all changes made before it was
        queued.
        """
        seconds_worth = int(_CLAIMED_SECONDS * self.pool.workers / self.durations.typical_seconds)
        enough = min(CLAIM_BATCH, max(self.pool.workers + 1, seconds_worth))
        now = time.monotonic()
        held = self.pool.in_flight - self.pool.slow_in_flight
        is_busy = held > enough // 2 or (bool(self.pool.in_flight) and now < self.next_claim)
        claims = [] if is_busy else self._claim_ordinary(enough - held)
        if held or claims:
            self.last_ordinary = now
        if is_busy:
            self._start_pieces()
            return []
        if len(claims) < enough - held:
            self.next_claim = now + _POLL_SECONDS
        submitted = self._submit_all(claims)
        return submitted if self.store_away else submitted + self._claim_slow()

    def _claim_ordinary(self, limit: int) -> list[Claim]:
        limit = limit if self.left is None else min(limit, self.left)
        waiting = self._waiting(slow=False) if limit else {}
        chosen = self.scheduler.choose(waiting, self._expected(waiting), limit)
        return self._claim_each(
            document_queue.ClaimRequest(target_id, count, self.scheduler.is_newest_first(target_id))
            for target_id, count in chosen.items()
        )

    def _claim_slow(self) -> list[Claim]:
        """Start slow documents and pieces of long ones, in turns; return what was claimed."""
        submitted: list[Claim] = []
        queued = self._waiting(slow=True) if self._slow_room() and self.left != 0 else {}
        while self._slow_room() and (waiting := {**queued, **self.long.waiting(self._may_be_lengthy())}):
            (target_id,) = self.scheduler.choose(waiting, self._expected(waiting), 1)
            may_claim = target_id in queued and self.left != 0 and self._may_claim(target_id)
            if may_claim and (claims := self._claim_one_slow(target_id)):
                submitted += self._submit_all(claims)
                if self.store_away is not None:
                    break
                continue
            queued.pop(target_id, None)
            if target_id in self.long.waiting(self._may_be_lengthy()):
                self.long.start(target_id, self._may_be_lengthy())
        return submitted

    def _claim_one_slow(self, target_id: str) -> list[Claim]:
        """Claim a slow document of a kind that there is room for."""
        may_be_paged = self.long.has_room(target_id)
        if not may_be_paged and not self._may_be_lengthy():
            return []
        paged = None if may_be_paged and self._may_be_lengthy() else may_be_paged
        return self._claim_each([document_queue.ClaimRequest(target_id, 1, slow=True, paged=paged)])

    def _start_pieces(self) -> None:
        """Start pieces of long documents, without claiming others."""
        while self._slow_room() and (waiting := self.long.waiting(self._may_be_lengthy())):
            (target_id,) = self.scheduler.choose(waiting, self._expected(waiting), 1)
            self.long.start(target_id, self._may_be_lengthy())

    def _slow_room(self) -> bool:
        """Return whether another slow task may be started.

        They get their own share of workers, and all workers while nothing else is queued.
        """
        is_quiet = time.monotonic() - self.last_ordinary > _QUIET_SECONDS
        room = self.pool.workers if is_quiet else self.pool.most_slow
        return self.pool.slow_in_flight < room

    def _may_be_lengthy(self) -> bool:
        return self.pool.lengthy_in_flight < self.pool.most_slow

    def _waiting(self, *, slow: bool) -> dict[str, str]:
        """Return the targets with queued documents that may be claimed, and their teams."""
        waiting = document_queue.targets_with_work(self.inst, slow)
        return {target_id: team for target_id, team in waiting.items() if self._may_claim(target_id)}

    def _expected(self, targets: Iterable[str]) -> dict[str, float]:
        return {target_id: self.durations.expected(target_id) for target_id in targets}

    def _claim_each(self, requests: Iterable[document_queue.ClaimRequest]) -> list[Claim]:
        without = self.held_back.ids
        allowed = [replace(request, without=without) for request in requests]
        claims = document_queue.claim(self.inst, allowed, self.owner, self.claim_reason)
        if self.left is not None:
            self.left -= len(claims)
        return claims

    def _submit_all(self, claims: Sequence[Claim]) -> list[Claim]:
        """Submit claimed documents; return those that were."""
        if claims:
            self.parsers.refresh({claim.parser_id for claim in claims if claim.parser_id})
            self.classifiers.refresh({claim.target_id for claim in claims if not claim.parser_id})
        began = clock.now()
        failures = self.inst.files.fetch(claim.sha256 for claim in claims)
        if self.inst.settings.files_url is not None:
            for claim in claims:
                _trace_fetch(claim, began, failures.get(claim.sha256))
        submitted: list[Claim] = []
        unusable: list[str] = []
        waiting: list[str] = []
        for claim in claims:
            if isinstance(error := failures.get(claim.sha256), StoreAway):
                self.store_away = error
                waiting.append(claim.document_id)
            elif error is not None:
                self._hold_back(claim, error)
            elif self._submit(claim):
                submitted.append(claim)
            else:
                unusable.append(claim.document_id)
        if unusable:
            document_queue.release(self.inst, self.owner, "its parser can't be used", unusable)
        if self.store_away is not None:
            document_queue.release(self.inst, self.owner, self.store_away.message, waiting)
        return submitted

    def _may_claim(self, target_id: str) -> bool:
        only = self.options.only
        return not self.parsers.is_unusable(target_id) and (only is None or target_id in only)

    def _submit(self, claim: Claim) -> bool:
        """Submit a document to the workers; return False if its target was deleted or is broken."""
        target: LoadedParser | LoadedClassifier | None
        if claim.parser_id is None:
            target = self.classifiers.get(claim.target_id)
        else:
            target = self.parsers.get(claim.parser_id)
        if target is None:
            return False
        if (refused := refused_type(claim, target)) is not None:
            self.outcomes.append(refused)
            return True
        task = replace(self.tasks.of(claim, target), kept=KeptPieces())
        self.claims[claim.key] = (claim, target, task)
        submit(self.inst, self.pool, self.endpoints, claim.key, claim, task, target)
        return True

    def _accept(self, outcomes: Sequence[TaskOutcome[ExpansionResult]]) -> None:
        """Keep finished outcomes for storing; queue documents again that were set aside as slow."""
        aside: list[Claim] = []
        slow: set[DurationClass] = set()
        for outcome in outcomes:
            if (of_long := self.long.accept(outcome)) is not None:
                self._accept_long(*of_long, outcome.seconds)
                continue
            if outcome.key not in self.claims:
                _discard(outcome)
                continue
            claim, target, task = self.claims.pop(outcome.key)
            seconds, was_slow = outcome.seconds, self.durations.is_slow(claim.duration_class)
            self.durations.record(claim.duration_class, seconds)
            self.scheduler.charge(
                claim.team_id, claim.target_id, seconds - self.durations.expected(claim.target_id)
            )
            if not claim.slow and seconds >= SLOW_SECONDS:
                self.scheduler.record_slow(claim.target_id, seconds)
            else:
                self.scheduler.record_done(claim.target_id, seconds)
            if self.durations.is_slow(claim.duration_class) and not was_slow:
                slow.add(claim.duration_class)
            wanted = outcome.result.wanted if outcome.result else None
            if outcome.set_aside or (wanted is not None and not self.long.has_room(claim.target_id)):
                aside.append(claim)
            elif wanted is not None:
                self.long.take(claim, target, task, outcome, wanted)
            else:
                self._finish(claim, target, outcome)
        for key, (claim, *_) in list(self.claims.items()):
            if claim.duration_class in slow and not claim.slow and self.pool.withdraw(key):
                del self.claims[key]
                aside.append(claim)
        if aside:
            document_queue.set_aside(self.inst, self.owner, aside, "it takes long, and others wait")
        for duration_class in slow:
            document_queue.expect_slow(self.inst, duration_class)

    def _accept_long(
        self, document: LongDocument, outcome: TaskOutcome[ExpansionResult] | None, seconds: float
    ) -> None:
        """Charge for a task of a long document; keep the document's outcome for storing."""
        claim = document.claim
        self.scheduler.charge(
            claim.team_id, claim.target_id, seconds - self.durations.expected(claim.target_id)
        )
        if outcome is not None:
            self._finish(claim, document.target, outcome)

    def _finish(
        self, claim: Claim, target: LoadedParser | LoadedClassifier, outcome: TaskOutcome[ExpansionResult]
    ) -> None:
        """Keep the outcome for storing, unless the document is to be read again."""
        if isinstance(outcome.error, InputUnavailable):
            _trace_fetch(claim, clock.now(), outcome.error)
            self._hold_back(claim, outcome.error)
        elif isinstance(outcome.error, DiskFull):
            _discard(outcome)
            self._hold_back(claim, outcome.error)
        elif isinstance(outcome.error, WorkerEnded):
            _discard(outcome)
            self._leave(claim, target, outcome.error, outcome.seconds)
        else:
            try:
                self.outcomes.append(extraction_outcome(self.inst, claim, target, outcome))
            except WorkerEnded as error:
                self._leave(claim, target, error, outcome.seconds)

    def _leave(
        self, claim: Claim, target: LoadedParser | LoadedClassifier, error: WorkerEnded, seconds: float
    ) -> None:
        """Leave a document whose worker ended to a later run; give it up if that happened too often."""
        _log.warning("document %s (%r): %s %s", claim.document_id, claim.name, error, error.detail)
        if document_queue.release_interrupted(self.inst, self.owner, claim, error):
            self.held_back.leave(claim.document_id)
        else:
            given_up: TaskOutcome[ExpansionResult] = TaskOutcome(claim.key, error=GivenUp(), seconds=seconds)
            self.outcomes.append(extraction_outcome(self.inst, claim, target, given_up))

    def _hold_back(self, claim: Claim, error: DocduckError) -> None:
        """Queue a document again that can't be read for the moment; this run waits before it tries again."""
        seconds = self.held_back.add(claim.document_id)
        at = clock.iso(clock.now() + dt.timedelta(seconds=seconds))
        is_away = not isinstance(error, DiskFull)
        problem = f"its file can't be opened ({error.message})" if is_away else error.message
        reason = f"{problem}; it is tried again at {at}"
        _log.warning("document %s (%r): %s", claim.document_id, claim.name, reason)
        document_queue.release(self.inst, self.owner, reason, [claim.document_id])

    def _look_for_lost(self) -> None:
        """End the work on documents that were deleted or cancelled, or that another run has taken."""
        now = time.monotonic()
        if now - self.last_look < min(_HOUSEKEEPING_SECONDS, HEARTBEAT_SECONDS):
            return
        self.last_look = now
        working = {claim.key: claim for claim, *_ in self.claims.values()}
        working |= {document.claim.key: document.claim for document in self.long}
        held = document_queue.held(self.inst, self.owner) if working else {}
        for key, claim in working.items():
            if held.get(claim.document_id) != claim.attempt:
                self.pool.drop(key)
                self.claims.pop(key, None)
                self.long.drop(claim.document_id)

    def _record_progress(self) -> None:
        now = time.monotonic()
        if now - self.last_progress < _FLUSH_SECONDS:
            return
        self.last_progress = now
        if pages := self.long.progress():
            document_queue.record_progress(self.inst, self.owner, pages)

    def _flush_due(self) -> bool:
        if not self.outcomes:
            return False
        return not self.claims or time.monotonic() - self.last_flush >= _FLUSH_SECONDS

    def _sync_due(self) -> bool:
        """Rows are visible only once published, so writing them more often than that is useless."""
        return time.monotonic() - self.last_sync >= PUBLISH_SECONDS


def _trace_fetch(claim: Claim, began: dt.datetime, error: DocduckError | None) -> None:
    kind = type(error).__name__ if error else None
    tracing.record(
        "fetch", claim.document_id, began, error=kind, team_id=claim.team_id, attempt=claim.attempt
    )


def _discard(outcome: TaskOutcome[ExpansionResult]) -> None:
    """Delete what a task has written that nobody waits for any more."""
    if outcome.outputs is not None:
        shutil.rmtree(outcome.outputs, ignore_errors=True)


@contextmanager
def _infrequent_gc() -> Iterator[None]:
    """Results are many small objects without cycles: collect garbage less often."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_OBJECTS_PER_COLLECTION, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
