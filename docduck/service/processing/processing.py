"""Processing: a run drains the queues of all parsers through the pool of isolated workers.

    claim a batch → worker pool reads and extracts → results into the catalog → rows into the warehouse

Everything is written in batches, and each step can be repeated: a run that dies at any moment loses
its claims, and the next one takes the documents up.
"""

from __future__ import annotations

import gc
import logging
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sqlalchemy.exc import IntegrityError, OperationalError

from docduck.errors import DocduckError, Transient, UnsupportedFile
from docduck.extraction.extractors.model.endpoint import responder
from docduck.extraction.from_settings import model_seconds, worker_limits
from docduck.extraction.jobs.expansion_job import Expanded, ExpandTask, expanding_pool
from docduck.extraction.model_options import ModelOptions, model_options
from docduck.owner import this_process
from docduck.service.core.installation import Installation
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents import values
from docduck.service.documents.claim import Alike, Claim
from docduck.service.documents.contained_files import store_parts
from docduck.service.documents.operations import claim_reason
from docduck.service.outputs import warehouse_sync
from docduck.service.processing import queue
from docduck.service.processing.heartbeat import Heartbeat
from docduck.service.processing.pace import Pace
from docduck.service.processing.results import ExtractionOutcome, Finished, finish
from docduck.service.processing.run_report import DrainReport, Tally
from docduck.service.processing.turns import Turns
from docduck.service.processing.watched_parsers import LoadedParser, WatchedParsers
from docduck.service.processing.worker_tasks import ReadingTasks
from docduck.service.search import upkeep
from docduck.workers.pool import TaskOutcome, WorkerPool
from docduck.workers.scratch import scratch_folder

_log = logging.getLogger(__name__)

_POLL_SECONDS = 0.1
_FLUSH_SECONDS = 1.0
_TRIES = 3
_HOUSEKEEPING_SECONDS = 5.0
_UPKEEP_SECONDS = 0.2
_HAND_OVER_SECONDS = 2.0
_HELD_SECONDS = 2.0
_OBJECTS_PER_COLLECTION = 50_000

Pool = WorkerPool[ExpandTask, Expanded]


def process_queue(
    inst: Installation,
    *,
    idle_seconds: float | None = None,
    max_seconds: float | None = None,
    on_progress: Callable[[int], None] | None = None,
    on_report: Callable[[list[DrainReport]], None] | None = None,
    stop: Callable[[], bool] | None = None,
    expecting: Callable[[], int] | None = None,
    run_id: str | None = None,
    on_claimed: Callable[[Sequence[Claim]], None] | None = None,
) -> list[DrainReport]:
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
        _rare_collection(),
        scratch_folder() as folder,
    ):
        # Most runs have a document to read: its worker starts while the rest is made ready.
        pool.expect(1)
        run = _Drain(inst, owner, pool, folder, model, run_id, on_claimed)
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
        run.hand_over(force=True)
    return run.tally.reports()


class _Drain:
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
        self.parsers = WatchedParsers(inst, folder)
        self.tasks = ReadingTasks(inst, model)
        self.turns = Turns()
        self.pace = Pace(inst.settings.slow_seconds)
        self.tally = Tally()
        self.claims: dict[str, tuple[Claim, LoadedParser]] = {}
        self.readings: deque[ExtractionOutcome] = deque()
        self.last_flush = time.monotonic()
        self.last_hand_over = self.last_flush
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
        on_report: Callable[[list[DrainReport]], None],
        stop: Callable[[], bool],
        expecting: Callable[[], int],
    ) -> None:
        begin = idle_since = time.monotonic()
        self.hand_over()
        while True:
            self.pool.expect(expecting())
            now = time.monotonic()
            closing = stop() or (now - begin > max_seconds and not self.pool.slow_in_flight)
            if not closing:
                self._housekeeping()
                self.on_claimed(self._claim())
            busy, since = bool(self.claims or self.readings), time.monotonic()
            outcomes = self.pool.wait(_POLL_SECONDS) if self.claims else []
            self._take(outcomes)
            if self._flush_due():
                self.flush()
                on_progress(self.done)
            if busy:
                idle_since = time.monotonic()
                self.tally.worked(idle_since - since)
                if self._hand_over_due():
                    self.hand_over()
                if idle_since - self.last_report >= max_seconds:
                    self.last_report = idle_since
                    on_report(self.tally.reports())
            elif closing or (time.monotonic() - idle_since >= idle_seconds and not self.is_behind):
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
            finished = self._finish(readings)
            for claim, seconds in finished.rule_seconds:
                self.turns.charge(claim.team_id, claim.parser_id, seconds)
            self.readings.extendleft(reversed(finished.again))
            self.tally.add(finished.held)
            self.done += sum(not reading.members for reading in finished.held)

    def _finish(self, readings: Sequence[ExtractionOutcome]) -> Finished:
        """``finish``, tried again when another transaction took an external id or a lock meanwhile."""
        tries = 0
        while True:
            try:
                return finish(self.inst, readings, self.owner)
            except (IntegrityError, OperationalError):
                tries += 1
                if tries == _TRIES:
                    raise

    def hand_over(self, force: bool = False) -> None:
        """Bring the warehouse up to the catalog, and the analysts' copy when it is due.

        What can't be handed over now, because another process holds the warehouse, stays noted.
        """
        try:
            done = warehouse_sync.project(self.inst, seconds=_HAND_OVER_SECONDS)
            self.is_behind = not done.is_all
            for warning in done.warnings:
                _log.warning("warehouse: %s", warning)
            warehouse_sync.publish(self.inst, force=force, at_rest=not self.claims)
        except Transient as error:
            self.is_behind = False
            _log.warning("the warehouse is behind for now: %s", error)
        self.last_hand_over = time.monotonic()

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
        seconds_worth = int(_HELD_SECONDS * self.pool.workers / self.pace.typical_seconds)
        enough = min(self.inst.settings.claim_batch, max(self.pool.workers + 1, seconds_worth))
        held = len(self.claims) - slow
        if held > enough // 2 or (self.claims and time.monotonic() < self.next_claim):
            return []
        found = self._claim_in_turn(enough - held, slow=False)
        # Slow ones have what they may keep, and what nobody else needs.
        room = self.pool.workers if not held and not found else self.pool.most_slow
        if slow < room:
            found += self._claim_in_turn(room - slow, slow=True)
        if len(found) < enough - held:
            self.next_claim = time.monotonic() + _POLL_SECONDS
        if found:
            self.parsers.refresh({claim.parser_id for claim in found})
        begun = [claim for claim in found if self._begin(claim)]
        if len(begun) < len(found):
            unusable = [claim.document_id for claim in found if claim not in begun]
            queue.release(self.inst, self.owner, "its parser can't be used", unusable)
        return begun

    def _claim_in_turn(self, limit: int, *, slow: bool) -> list[Claim]:
        waiting = queue.parsers_with_work(self.inst, slow)
        waiting = {one: team for one, team in waiting.items() if not self.parsers.is_unusable(one)}
        expected = {parser_id: self.pace.expected(parser_id) for parser_id in waiting}
        wishes = [
            queue.Wish(parser_id, count, self.turns.is_newest_first(parser_id) and not slow, slow)
            for parser_id, count in self.turns.choose(waiting, expected, limit).items()
        ]
        return queue.claim(self.inst, wishes, self.owner, self.claim_reason)

    def _begin(self, claim: Claim) -> bool:
        """Hand a claimed document to the workers; False when its parser was deleted or broken meanwhile."""
        parser = self.parsers.get(claim.parser_id)
        if parser is None:
            return False
        accepted = parser.settings.accepted_file_types
        if accepted and claim.content_type not in accepted:
            self.readings.append(
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

    def _take(self, outcomes: Sequence[TaskOutcome[Expanded]]) -> None:
        """Turn outcomes into readings; documents that were set aside are queued again."""
        aside: list[Claim] = []
        slow: set[Alike] = set()
        for outcome in outcomes:
            claim, parser = self.claims.pop(outcome.key)
            seconds, was_slow = outcome.seconds, self.pace.is_slow(claim.alike)
            self.pace.note(claim.alike, seconds)
            self.turns.charge(claim.team_id, claim.parser_id, seconds - self.pace.expected(claim.parser_id))
            if not claim.slow and seconds >= self.inst.settings.slow_seconds:
                self.turns.note_slow(claim.parser_id, seconds)
            else:
                self.turns.note_done(claim.parser_id, seconds)
            if self.pace.is_slow(claim.alike) and not was_slow:
                slow.add(claim.alike)
            if outcome.set_aside:
                aside.append(claim)
            else:
                self.readings.append(self._reading(claim, parser, outcome))
        for key, (claim, _) in list(self.claims.items()):
            if claim.alike in slow and not claim.slow and self.pool.withdraw(key):
                del self.claims[key]
                aside.append(claim)
        if aside:
            queue.set_aside(self.inst, self.owner, aside, "it takes long, and others wait")
        for alike in slow:
            queue.expect_slow(self.inst, alike)

    def _reading(
        self, claim: Claim, parser: LoadedParser, outcome: TaskOutcome[Expanded]
    ) -> ExtractionOutcome:
        found = outcome.result or Expanded()
        files = store_parts(self.inst, found.files, outcome.outputs)
        members = store_parts(self.inst, found.members, outcome.outputs)
        if outcome.outputs is not None:
            shutil.rmtree(outcome.outputs, ignore_errors=True)
        reading = ExtractionOutcome(
            claim,
            parser.view,
            mode=parser.settings.data_extraction_mode,
            seconds=outcome.seconds,
            files=files,
            slow=outcome.seconds >= self.inst.settings.slow_seconds,
        )
        if error := outcome.error or (found.failure.error() if found.failure else None):
            _log_failure(claim, error, outcome.trace)
            return replace(reading, error=error)
        if members:
            return replace(reading, members=members)
        extraction = found.extraction
        if extraction is None:
            return replace(reading, skipped=_parted(found))
        if not parser.settings.confidence_scores.enabled:
            extraction = values.without_confidence(extraction)
        if not parser.settings.markdown_parsing.enabled:
            return replace(reading, extraction=extraction)
        stored = self.inst.files.put_bytes(extraction.markdown.encode("utf-8", "replace"))
        return replace(
            reading, extraction=extraction, markdown_sha256=stored.sha256, markdown_size=stored.size
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


def _log_failure(claim: Claim, error: DocduckError, trace: str | None) -> None:
    detail = getattr(error, "detail", "") or trace or ""
    place = f"document {claim.document_id} ({claim.name!r})"
    if trace:
        _log.error("%s: %s\n%s", place, error, detail)
    else:
        _log.warning("%s: %s %s", place, error, detail)
