"""The runs that are under way, those that only seem to be, and those that keep failing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dagster import AssetKey, DagsterInstance, DagsterRun, DagsterRunStatus, RunRecord, RunsFilter
from dagster._core.storage.tags import RUN_FAILURE_REASON_TAG

from docduck import clock
from resources.run_process import PROCESS_TAG, is_lost

UPLOAD = "upload"
_ASSET_JOBS = frozenset({UPLOAD, "__ASSET_JOB"})
_LIVE = [DagsterRunStatus.QUEUED, DagsterRunStatus.STARTING, DagsterRunStatus.STARTED]
_FINISHED = [DagsterRunStatus.SUCCESS, DagsterRunStatus.FAILURE]
_OWN_FAULT = frozenset({"STEP_FAILURE", "RUN_EXCEPTION", "JOB_INITIALIZATION_FAILURE"})

START_SECONDS = 30
"""How long a run may take from its launch until it has noted its process; two are usual.

So long, too, documents wait if the daemon and the run it launches are killed together. A slower start
is no harm: a second run then shares the queue with the first.
"""

LONGEST_PAUSE_SECONDS = 300.0
_FIRST_PAUSE_SECONDS = 5.0
_LOOK_BACK = dt.timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class LiveRuns:
    """The live runs that fill tables, as they stood at one moment."""

    runs: tuple[DagsterRun, ...]

    def covering(self, key: AssetKey) -> DagsterRun | None:
        """A run that materialises ``key``, if one is live."""
        return next((run for run in self.runs if covers(run, key)), None)


def live_runs(instance: DagsterInstance) -> LiveRuns:
    """The runs that are queued, starting, or executed by a process that is there."""
    records = instance.get_run_records(RunsFilter(statuses=_LIVE))
    return LiveRuns(tuple(record.dagster_run for record in records if _is_live(record)))


def fail_lost_runs(instance: DagsterInstance) -> list[str]:
    """Mark as failed the runs whose process is gone, which nobody else would; gives their ids."""
    lost = [run for run in instance.get_runs(RunsFilter(statuses=_LIVE)) if is_lost(run)]
    for run in lost:
        instance.report_run_failed(
            run, "The process that executed this run is gone; its work is taken up again."
        )
    return [run.run_id for run in lost]


def covers(run: DagsterRun, key: AssetKey) -> bool:
    """Whether ``run`` materialises ``key``."""
    if run.job_name not in _ASSET_JOBS:
        return False
    return run.asset_selection is None or key in run.asset_selection


def pauses(instance: DagsterInstance, keys: Sequence[AssetKey]) -> dict[AssetKey, float]:
    """Seconds still to wait before trying keys again whose last runs failed one after the other.

    The pause doubles with each failure. A run that was killed is no failure: it is taken up at once.
    """
    moment = clock.now()
    finished = instance.get_run_records(
        RunsFilter(job_name=UPLOAD, statuses=_FINISHED, updated_after=moment - _LOOK_BACK), limit=50
    )
    due = {key: _pause([r for r in finished if covers(r.dagster_run, key)], moment) for key in keys}
    return {key: seconds for key, seconds in due.items() if seconds > 0}


def _pause(latest_first: Iterable[RunRecord], moment: dt.datetime) -> float:
    failures = 0
    last = 0.0
    for record in latest_first:
        if record.dagster_run.tags.get(RUN_FAILURE_REASON_TAG) not in _OWN_FAULT:
            break
        failures += 1
        last = max(last, record.end_time or 0.0)
    if not failures:
        return 0.0
    pause = min(_FIRST_PAUSE_SECONDS * 2.0**failures, LONGEST_PAUSE_SECONDS)
    return last + pause - moment.timestamp()


def _is_live(record: RunRecord) -> bool:
    run = record.dagster_run
    if run.status is DagsterRunStatus.QUEUED:
        return True
    if PROCESS_TAG in run.tags:
        return not is_lost(run)
    updated = record.update_timestamp
    if updated.tzinfo is None:
        updated = updated.replace(tzinfo=dt.UTC)
    return clock.now() - updated < dt.timedelta(seconds=START_SECONDS)
