"""A run: process the queues of all parsers with a pool of worker processes.

    claim a batch → workers read and extract → results into the catalog → rows into the warehouse

Every step is done in batches and can be repeated: the documents of a run that dies are queued again when
its leases expire.
"""

from __future__ import annotations

import gc
import logging
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import IntegrityError, OperationalError

from docduck.errors import Transient
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.extractors.model.endpoint import responder
from docduck.extraction.jobs.expansion_job import ExpandTask, ExpansionResult, expanding_pool
from docduck.extraction.model_options import ModelOptions, model_options
from docduck.owner import this_process
from docduck.service.core.installation import Installation
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.claim import Claim, DurationClass
from docduck.service.documents.queries.operations import claim_reason
from docduck.service.outputs import warehouse_sync
from docduck.service.processing import document_queue
from docduck.service.processing.durations import DurationEstimates
from docduck.service.processing.extraction_outcome import (
    ExtractionOutcome,
    extraction_outcome,
    refused_type,
)
from docduck.service.processing.fair_scheduling import FairScheduler
from docduck.service.processing.heartbeat import Heartbeat
from docduck.service.processing.loaded_classifiers import LoadedClassifier, LoadedClassifiers
from docduck.service.processing.loaded_parsers import LoadedParser, LoadedParsers
from docduck.service.processing.results import StoredOutcomes, store_outcomes
from docduck.service.processing.run_report import RunReport, Tally
from docduck.service.processing.worker_tasks import WorkerTasks, submit
from docduck.service.search import maintenance
from docduck.workers.pool import WorkerPool
from docduck.workers.scratch import scratch_folder
from docduck.workers.task_queue import TaskOutcome

_log = logging.getLogger(__name__)

_POLL_SECONDS = 0.1
_FLUSH_SECONDS = 1.0
_TRIES = 3
_HOUSEKEEPING_SECONDS = 5.0
_UPKEEP_SECONDS = 0.2
_SYNC_SECONDS = 2.0
_CLAIMED_SECONDS = 2.0
_OBJECTS_PER_COLLECTION = 50_000

Pool = WorkerPool[ExpandTask, ExpansionResult]


def process_queue(
    inst: Installation,
    *,
    idle_seconds: float | None = None,
    max_seconds: float | None = None,
    max_documents: int | None = None,
    only: Collection[str] | None = None,
    on_progress: Callable[[int], None] | None = None,
    on_report: Callable[[list[RunReport]], None] | None = None,
    stop: Callable[[], bool] | None = None,
    expecting: Callable[[], int] | None = None,
    run_id: str | None = None,
    on_claimed: Callable[[Sequence[Claim]], None] | None = None,
) -> list[RunReport]:
    """Process queued documents of all parsers and teams, also those that are queued meanwhile.

    Return when nothing was queued for ``idle_seconds``, after ``max_seconds`` (None: from the settings), when
    ``max_documents`` were claimed, or when ``stop`` returns True; documents in work are finished first. With
    ``only``, process documents of the parsers and classifiers with these ids alone. While ``expecting``
    returns a number of documents that are about to be queued, waiting is not idle.

    Call ``on_progress`` with the number of finished documents, ``on_report`` now and then with the reports so
    far, and ``on_claimed`` with newly claimed documents. ``run_id`` goes to the documents' history.
    """
    settings = inst.settings
    owner = this_process()
    process_pending(inst, seconds=settings.learn_seconds)
    inst.side_workers.close()
    model = model_options(settings)
    with (
        responder(model) as respond,
        expanding_pool(
            settings.workers,
            worker_limits(settings),
            tasks_per_worker=settings.worker_tasks,
            slow_seconds=settings.slow_seconds,
            responder=respond,
            most_questions=settings.model_max_concurrent,
        ) as pool,
        Heartbeat(inst, owner),
        _infrequent_gc(),
        scratch_folder() as folder,
    ):
        # Most runs have a document to read: start its worker early.
        pool.expect(1)
        run = _QueueRun(inst, owner, pool, folder, model, run_id, on_claimed, max_documents, only)
        try:
            run.loop(
                settings.run_idle_seconds if idle_seconds is None else idle_seconds,
                settings.run_handover_seconds if max_seconds is None else max_seconds,
                on_progress or (lambda done: None),
                on_report or (lambda reports: None),
                stop or (lambda: False),
                expecting or (lambda: 0),
            )
        finally:
            document_queue.release(inst, owner, "its run ended before it")
        run.sync_warehouse(force=True)
    return run.tally.reports()


class _QueueRun:
    def __init__(
        self,
        inst: Installation,
        owner: str,
        pool: Pool,
        folder: Path,
        model: ModelOptions | None,
        run_id: str | None,
        on_claimed: Callable[[Sequence[Claim]], None] | None,
        max_documents: int | None,
        only: Collection[str] | None,
    ) -> None:
        self.inst = inst
        self.owner = owner
        self.claim_reason = claim_reason(run_id) if run_id else None
        self.on_claimed = on_claimed or (lambda claims: None)
        self.left = max_documents
        self.only = only
        self.pool = pool
        self.parsers = LoadedParsers(inst, folder)
        self.classifiers = LoadedClassifiers(inst)
        self.tasks = WorkerTasks(inst, model)
        self.scheduler = FairScheduler()
        self.durations = DurationEstimates(inst.settings.slow_seconds)
        self.tally = Tally()
        self.claims: dict[str, tuple[Claim, LoadedParser | LoadedClassifier]] = {}
        self.outcomes: deque[ExtractionOutcome] = deque()
        self.last_flush = time.monotonic()
        self.last_sync = self.last_flush
        self.last_report = self.last_flush
        self.last_housekeeping = 0.0
        self.next_claim = 0.0
        self.sync_pending = False
        self.done = 0

    def loop(
        self,
        idle_seconds: float,
        max_seconds: float,
        on_progress: Callable[[int], None],
        on_report: Callable[[list[RunReport]], None],
        stop: Callable[[], bool],
        expecting: Callable[[], int],
    ) -> None:
        begin = idle_since = time.monotonic()
        self.sync_warehouse()
        while True:
            self.pool.expect(expecting())
            now = time.monotonic()
            closing = self.left == 0 or stop() or (now - begin > max_seconds and not self.pool.slow_in_flight)
            if not closing:
                self._housekeeping()
                self.on_claimed(self._claim())
            busy, since = bool(self.claims or self.outcomes), time.monotonic()
            outcomes = self.pool.wait(_POLL_SECONDS) if self.claims else []
            self._accept(outcomes)
            if self._flush_due():
                self.flush()
                on_progress(self.done)
            if busy:
                idle_since = time.monotonic()
                self.tally.worked(idle_since - since)
                if self._sync_due():
                    self.sync_warehouse()
                if idle_since - self.last_report >= max_seconds:
                    self.last_report = idle_since
                    on_report(self.tally.reports())
            elif closing or (time.monotonic() - idle_since >= idle_seconds and not self.sync_pending):
                return
            else:
                self.sync_warehouse()
                time.sleep(_POLL_SECONDS)
                if expecting():
                    idle_since = time.monotonic()

    def flush(self) -> None:
        """Store the outcomes that have arrived."""
        outcomes, self.outcomes = list(self.outcomes), deque()
        self.last_flush = time.monotonic()
        if outcomes:
            result = self._store(outcomes)
            for claim, seconds in result.rule_seconds:
                self.scheduler.charge(claim.team_id, claim.target_id, seconds)
            self.outcomes.extendleft(reversed(result.retry))
            self.tally.add(result.stored, result.in_review)
            self.done += sum(not outcome.members for outcome in result.stored)

    def _store(self, outcomes: Sequence[ExtractionOutcome]) -> StoredOutcomes:
        """Store outcomes; try again when another transaction took an external id or a lock meanwhile."""
        tries = 0
        while True:
            try:
                return store_outcomes(self.inst, outcomes, self.owner)
            except (IntegrityError, OperationalError):
                tries += 1
                if tries == _TRIES:
                    raise

    def sync_warehouse(self, force: bool = False) -> None:
        """Write pending rows to the warehouse, and publish the analysts' copy when it is due.

        Rows stay pending while another process holds the warehouse.
        """
        try:
            done = warehouse_sync.sync_warehouse(self.inst, seconds=_SYNC_SECONDS)
            self.sync_pending = not done.is_all
            for warning in done.warnings:
                _log.warning("warehouse: %s", warning)
            warehouse_sync.publish(self.inst, force=force, at_rest=not self.claims)
        except Transient as error:
            self.sync_pending = False
            _log.warning("the warehouse is behind for now: %s", error)
        self.last_sync = time.monotonic()

    def _housekeeping(self) -> None:
        if time.monotonic() - self.last_housekeeping >= _HOUSEKEEPING_SECONDS:
            self.last_housekeeping = time.monotonic()
            document_queue.release_lost(self.inst, self.owner)
            self.parsers.forget_unusable()
            maintenance.index_stale_documents(self.inst, _UPKEEP_SECONDS, self.parsers.ids)
            maintenance.merge_counters(self.inst)

    def _claim(self) -> list[Claim]:
        """Claim just enough to keep the workers busy; leave the rest to other runs.

        Parsers are loaded after the claim, so that a document is read with all changes made before it was
        queued.
        """
        slow = self.pool.slow_in_flight
        seconds_worth = int(_CLAIMED_SECONDS * self.pool.workers / self.durations.typical_seconds)
        enough = min(self.inst.settings.claim_batch, max(self.pool.workers + 1, seconds_worth))
        held = len(self.claims) - slow
        if held > enough // 2 or (self.claims and time.monotonic() < self.next_claim):
            return []
        found = self._claim_fairly(enough - held, slow=False)
        # Slow documents get their own share of workers, and all workers when nothing else is queued.
        room = self.pool.workers if not held and not found else self.pool.most_slow
        if slow < room:
            found += self._claim_fairly(room - slow, slow=True)
        if len(found) < enough - held:
            self.next_claim = time.monotonic() + _POLL_SECONDS
        if found:
            self.parsers.refresh({claim.parser_id for claim in found if claim.parser_id})
            self.classifiers.refresh({claim.target_id for claim in found if not claim.parser_id})
        submitted = [claim for claim in found if self._submit(claim)]
        if len(submitted) < len(found):
            unusable = [claim.document_id for claim in found if claim not in submitted]
            document_queue.release(self.inst, self.owner, "its parser can't be used", unusable)
        return submitted

    def _claim_fairly(self, limit: int, *, slow: bool) -> list[Claim]:
        limit = limit if self.left is None else min(limit, self.left)
        waiting = document_queue.targets_with_work(self.inst, slow) if limit else {}
        waiting = {one: team for one, team in waiting.items() if self._may_claim(one)}
        expected = {parser_id: self.durations.expected(parser_id) for parser_id in waiting}
        requests = [
            document_queue.ClaimRequest(
                parser_id, count, self.scheduler.is_newest_first(parser_id) and not slow, slow
            )
            for parser_id, count in self.scheduler.choose(waiting, expected, limit).items()
        ]
        claims = document_queue.claim(self.inst, requests, self.owner, self.claim_reason)
        if self.left is not None:
            self.left -= len(claims)
        return claims

    def _may_claim(self, target_id: str) -> bool:
        return not self.parsers.is_unusable(target_id) and (self.only is None or target_id in self.only)

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
        self.claims[claim.document_id] = (claim, target)
        submit(self.inst, self.pool, claim, self.tasks.of(claim, target), target)
        return True

    def _accept(self, outcomes: Sequence[TaskOutcome[ExpansionResult]]) -> None:
        """Keep finished outcomes for storing; queue documents again that were set aside as slow."""
        aside: list[Claim] = []
        slow: set[DurationClass] = set()
        for outcome in outcomes:
            claim, target = self.claims.pop(outcome.key)
            seconds, was_slow = outcome.seconds, self.durations.is_slow(claim.duration_class)
            self.durations.record(claim.duration_class, seconds)
            self.scheduler.charge(
                claim.team_id, claim.target_id, seconds - self.durations.expected(claim.target_id)
            )
            if not claim.slow and seconds >= self.inst.settings.slow_seconds:
                self.scheduler.record_slow(claim.target_id, seconds)
            else:
                self.scheduler.record_done(claim.target_id, seconds)
            if self.durations.is_slow(claim.duration_class) and not was_slow:
                slow.add(claim.duration_class)
            if outcome.set_aside:
                aside.append(claim)
            else:
                self.outcomes.append(extraction_outcome(self.inst, claim, target, outcome))
        for key, (claim, _) in list(self.claims.items()):
            if claim.duration_class in slow and not claim.slow and self.pool.withdraw(key):
                del self.claims[key]
                aside.append(claim)
        if aside:
            document_queue.set_aside(self.inst, self.owner, aside, "it takes long, and others wait")
        for duration_class in slow:
            document_queue.expect_slow(self.inst, duration_class)

    def _flush_due(self) -> bool:
        if not self.outcomes:
            return False
        return not self.claims or time.monotonic() - self.last_flush >= _FLUSH_SECONDS

    def _sync_due(self) -> bool:
        """Rows are visible only once published, so writing them more often than that is useless."""
        return time.monotonic() - self.last_sync >= self.inst.settings.publish_seconds


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
