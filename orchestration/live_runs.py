"""The runs that are under way, those that only seem to be, and those that keep failing."""

from __future__ import annotations

import datetime as dt
from itertools import takewhile

from dagster import DagsterInstance, DagsterRun, DagsterRunStatus, RunRecord, RunsFilter
from dagster._core.storage.tags import RUN_FAILURE_REASON_TAG

from docduck import clock
from docduck.service.runs.dagster_api import processes_documents
from resources.run_process import PROCESS_TAG, is_lost

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
_MOST_FINISHED = 100


def live_run(instance: DagsterInstance) -> DagsterRun | None:
    """Return a run that reads documents and is queued, starting, or executed by a process that is there."""
    records = instance.get_run_records(RunsFilter(statuses=_LIVE))
    return next((r.dagster_run for r in records if _reads(r.dagster_run) and _is_live(r)), None)


def fail_lost_runs(instance: DagsterInstance) -> list[str]:
    """Mark as failed the runs whose process is gone, which nobody else would; gives their ids."""
    lost = [run for run in instance.get_runs(RunsFilter(statuses=_LIVE)) if is_lost(run)]
    for run in lost:
        instance.report_run_failed(
            run, "The process that executed this run is gone; its work is taken up again."
        )
    return [run.run_id for run in lost]


def pause(instance: DagsterInstance) -> float:
    """Return the seconds still to wait before another run, where the last ones failed one after the other.

    The pause doubles with each failure. A run that was killed is no failure: it is taken up at once.
    """
    moment = clock.now()
    finished = instance.get_run_records(
        RunsFilter(statuses=_FINISHED, updated_after=moment - _LOOK_BACK), limit=_MOST_FINISHED
    )
    failures = list(takewhile(_failed_by_itself, (r for r in finished if _reads(r.dagster_run))))
    if not failures:
        return 0.0
    seconds = min(_FIRST_PAUSE_SECONDS * 2.0 ** len(failures), LONGEST_PAUSE_SECONDS)
    return max(0.0, max(record.end_time or 0.0 for record in failures) + seconds - moment.timestamp())


def _failed_by_itself(record: RunRecord) -> bool:
    return record.dagster_run.tags.get(RUN_FAILURE_REASON_TAG) in _OWN_FAULT


def _reads(run: DagsterRun) -> bool:
    selection = run.asset_selection
    return processes_documents(run.job_name, None if selection is None else [key.path for key in selection])


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
