"""Processing: a run drains the queues of all parsers through the pool of isolated workers.

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
from pathlib import Path

from sqlalchemy.exc import IntegrityError, OperationalError

from docduck.errors import Transient, UnsupportedFile
from docduck.extraction.extractors.model.endpoint import responder
from docduck.extraction.from_settings import model_seconds, worker_limits
from docduck.extraction.jobs.expansion_job import Expanded, ExpandTask, expanding_pool
from docduck.extraction.model_options import ModelOptions, model_options
from docduck.owner import this_process
from docduck.service.core.installation import Installation
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.claim import Claim, DurationClass
from docduck.service.documents.operations import claim_reason
from docduck.service.outputs import warehouse_sync
from docduck.service.processing import queue
from docduck.service.processing.durations import DurationEstimates
from docduck.service.processing.extraction_outcome import ExtractionOutcome, extraction_outcome
from docduck.service.processing.fair_scheduling import FairScheduler
from docduck.service.processing.heartbeat import Heartbeat
from docduck.service.processing.results import StoredOutcomes, store_outcomes
from docduck.service.processing.run_report import RunReport, Tally
from docduck.service.processing.watched_parsers import LoadedParser, LoadedParsers
from docduck.service.processing.worker_tasks import WorkerTasks
from docduck.service.search import upkeep
from docduck.workers.pool import TaskOutcome, WorkerPool
from docduck.workers.scratch import scratch_folder

_log = logging.getLogger(__name__)

_POLL_SECONDS = 0.1
_FLUSH_SECONDS = 1.0
_TRIES = 3
_HOUSEKEEPING_SECONDS = 5.0
_UPKEEP_SECONDS = 0.2
_SYNC_SECONDS = 2.0
_CLAIMED_SECONDS = 2.0
_OBJECTS_PER_COLLECTION = 50_000

Pool = WorkerPool[ExpandTask, Expanded]


def process_queue(
    inst: Installation,
    *,
    idle_seconds: float | None = None,
    max_seconds: float | None = None,
    on_progress: Callable[[int], None] | None = None,
    on_report: Callable[[list[RunReport]], None] | None = None,
    stop: Callable[[], bool] | None = None,
    expecting: Callable[[], int] | None = None,
    run_id: str | None = None,
    on_claimed: Callable[[Sequence[Claim]], None] | None = None,
) -> list[RunReport]:
    """Process what is queued, of all parsers and teams, and what comes meanwhile; return what was done.

    End when nothing came for ``idle_seconds``, or after ``max_seconds`` (both from the settings when None),
    or when ``stop`` says so; slow documents in work are read to their end, and others meanwhile.
    ``on_progress`` is told how many documents are done, and ``on_report`` now and then what was done so far.
    While ``expecting`` says how many more
    are on their way, waiting for them does not count as idle. ``run_id`` names the run in the documents'
    history, and ``on_claimed`` is told, several times a second, what was claimed since it was told last, if
    anything.
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
        # Most runs have a document to read: its worker starts while the rest is made ready.
        pool.expect(1)
        run = _QueueRun(inst, owner, pool, folder, model, run_id, on_claimed)
        try:
            run.loop(
                settings.drain_idle_seconds if idle_seconds is None else idle_seconds,
                settings.drain_max_seconds if max_seconds is None else max_seconds,
                on_progress or (lambda done: None),
                on_report or (lambda reports: None),
                stop or (lambda: False),
                expecting or (lambda: 0),
            )
        finally:
            queue.release(inst, owner, "its run ended before it")
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
    ) -> None:
        self.inst = inst
        self.owner = owner
        self.claim_reason = claim_reason(run_id) if run_id else None
        self.on_claimed = on_claimed or (lambda claims: None)
        self.pool = pool
        self.parsers = LoadedParsers(inst, folder)
        self.tasks = WorkerTasks(inst, model)
        self.scheduler = FairScheduler()
        self.durations = DurationEstimates(inst.settings.slow_seconds)
        self.tally = Tally()
        self.claims: dict[str, tuple[Claim, LoadedParser]] = {}
        self.outcomes: deque[ExtractionOutcome] = deque()
        self.last_flush = time.monotonic()
        self.last_sync = self.last_flush
        self.last_report = self.last_flush
        self.last_housekeeping = 0.0
        self.next_claim = 0.0
        self.is_behind = False
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
            closing = stop() or (now - begin > max_seconds and not self.pool.slow_in_flight)
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
            elif closing or (time.monotonic() - idle_since >= idle_seconds and not self.is_behind):
                return
            else:
                self.sync_warehouse()
                time.sleep(_POLL_SECONDS)
                if expecting():
                    idle_since = time.monotonic()

    def flush(self) -> None:
        """Write the readings at hand to the catalog."""
        outcomes, self.outcomes = list(self.outcomes), deque()
        self.last_flush = time.monotonic()
        if outcomes:
            result = self._store(outcomes)
            for claim, seconds in result.rule_seconds:
                self.scheduler.charge(claim.team_id, claim.parser_id, seconds)
            self.outcomes.extendleft(reversed(result.retry))
            self.tally.add(result.stored)
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
        """Bring the warehouse up to the catalog, and the analysts' copy when it is due.

        What can't be handed over now, because another process holds the warehouse, stays noted.
        """
        try:
            done = warehouse_sync.project(self.inst, seconds=_SYNC_SECONDS)
            self.is_behind = not done.is_all
            for warning in done.warnings:
                _log.warning("warehouse: %s", warning)
            warehouse_sync.publish(self.inst, force=force, at_rest=not self.claims)
        except Transient as error:
            self.is_behind = False
            _log.warning("the warehouse is behind for now: %s", error)
        self.last_sync = time.monotonic()

    def _housekeeping(self) -> None:
        if time.monotonic() - self.last_housekeeping >= _HOUSEKEEPING_SECONDS:
            self.last_housekeeping = time.monotonic()
            queue.release_lost(self.inst, self.owner)
            self.parsers.forget_unusable()
            upkeep.bring_up_to_date(self.inst, _UPKEEP_SECONDS, self.parsers.ids)
            upkeep.fold_counts(self.inst)

    def _claim(self) -> list[Claim]:
        """Claim just enough to keep the workers busy, and return it; the rest is left to other runs.

        Each document is read by its parser as it is after the claim, so every change that was answered
        before the document was queued counts.
        """
        slow = self.pool.slow_in_flight
        seconds_worth = int(_CLAIMED_SECONDS * self.pool.workers / self.durations.typical_seconds)
        enough = min(self.inst.settings.claim_batch, max(self.pool.workers + 1, seconds_worth))
        held = len(self.claims) - slow
        if held > enough // 2 or (self.claims and time.monotonic() < self.next_claim):
            return []
        found = self._claim_fairly(enough - held, slow=False)
        # Slow ones have what they may keep, and what nobody else needs.
        room = self.pool.workers if not held and not found else self.pool.most_slow
        if slow < room:
            found += self._claim_fairly(room - slow, slow=True)
        if len(found) < enough - held:
            self.next_claim = time.monotonic() + _POLL_SECONDS
        if found:
            self.parsers.refresh({claim.parser_id for claim in found})
        submitted = [claim for claim in found if self._submit(claim)]
        if len(submitted) < len(found):
            unusable = [claim.document_id for claim in found if claim not in submitted]
            queue.release(self.inst, self.owner, "its parser can't be used", unusable)
        return submitted

    def _claim_fairly(self, limit: int, *, slow: bool) -> list[Claim]:
        waiting = queue.parsers_with_work(self.inst, slow)
        waiting = {one: team for one, team in waiting.items() if not self.parsers.is_unusable(one)}
        expected = {parser_id: self.durations.expected(parser_id) for parser_id in waiting}
        requests = [
            queue.ClaimRequest(parser_id, count, self.scheduler.is_newest_first(parser_id) and not slow, slow)
            for parser_id, count in self.scheduler.choose(waiting, expected, limit).items()
        ]
        return queue.claim(self.inst, requests, self.owner, self.claim_reason)

    def _submit(self, claim: Claim) -> bool:
        """Hand a claimed document to the workers; False when its parser was deleted or broken meanwhile."""
        parser = self.parsers.get(claim.parser_id)
        if parser is None:
            return False
        accepted = parser.settings.accepted_file_types
        if accepted and claim.content_type not in accepted:
            self.outcomes.append(
                ExtractionOutcome(claim, parser.view, error=UnsupportedFile(claim.content_type))
            )
            return True
        self.claims[claim.document_id] = (claim, parser)
        task = self.tasks.of(claim, parser)
        self.pool.submit(
            claim.document_id,
            task,
            [self.inst.files.path(claim.sha256), *([parser.lessons] if parser.lessons else [])],
            more_seconds=model_seconds(task.read.extraction),
            slow=claim.slow,
            may_ask=task.read.extraction.model is not None,
        )
        return True

    def _accept(self, outcomes: Sequence[TaskOutcome[Expanded]]) -> None:
        """Turn outcomes into readings; documents that were set aside are queued again."""
        aside: list[Claim] = []
        slow: set[DurationClass] = set()
        for outcome in outcomes:
            claim, parser = self.claims.pop(outcome.key)
            seconds, was_slow = outcome.seconds, self.durations.is_slow(claim.duration_class)
            self.durations.note(claim.duration_class, seconds)
            self.scheduler.charge(
                claim.team_id, claim.parser_id, seconds - self.durations.expected(claim.parser_id)
            )
            if not claim.slow and seconds >= self.inst.settings.slow_seconds:
                self.scheduler.note_slow(claim.parser_id, seconds)
            else:
                self.scheduler.note_done(claim.parser_id, seconds)
            if self.durations.is_slow(claim.duration_class) and not was_slow:
                slow.add(claim.duration_class)
            if outcome.set_aside:
                aside.append(claim)
            else:
                self.outcomes.append(extraction_outcome(self.inst, claim, parser, outcome))
        for key, (claim, _) in list(self.claims.items()):
            if claim.duration_class in slow and not claim.slow and self.pool.withdraw(key):
                del self.claims[key]
                aside.append(claim)
        if aside:
            queue.set_aside(self.inst, self.owner, aside, "it takes long, and others wait")
        for duration_class in slow:
            queue.expect_slow(self.inst, duration_class)

    def _flush_due(self) -> bool:
        if not self.outcomes:
            return False
        return not self.claims or time.monotonic() - self.last_flush >= _FLUSH_SECONDS

    def _sync_due(self) -> bool:
        """Rows are seen when they are published, so more often than that they need not be handed over."""
        return time.monotonic() - self.last_sync >= self.inst.settings.publish_seconds


@contextmanager
def _infrequent_gc() -> Iterator[None]:
    """Results are many small objects without cycles, among which the collector would search in vain."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_OBJECTS_PER_COLLECTION, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
