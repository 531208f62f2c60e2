"""Runs that process documents, as Dagster's instance stores them."""

from __future__ import annotations

import datetime as dt

from dagster import (
    DagsterInstance,
    DagsterRunStatus,
    RunRecord,
    RunRequest,
    RunsFilter,
)

from dagster_docduck.resources.installation import PROCESS_TAG, is_lost
from docduck import clock
from docduck.service.processing.run_lock import RUN_START_SECONDS
from docduck.service.runs import processing_runs
from docduck.service.runs.processing_runs import (
    FINISHED_STATUSES,
    LIVE_STATUSES,
    LOOK_BACK_SECONDS,
    MAX_FINISHED,
    UPLOAD,
    Run,
)

MONITOR_SECONDS = 30
"""How often Dagster looks for runs whose start takes too long, which it then marks as failed."""

_LIVE = [DagsterRunStatus(status) for status in LIVE_STATUSES]
_FINISHED = [DagsterRunStatus(status) for status in FINISHED_STATUSES]


def live_run(instance: DagsterInstance) -> Run | None:
    """Return a run that processes documents and is queued, starting, or executed by a process that exists."""
    records = instance.get_run_records(RunsFilter(statuses=_LIVE))
    return processing_runs.processing_run(_run(record) for record in records if _is_live(record))


def retry_seconds(instance: DagsterInstance) -> float:
    """Return the seconds to wait before another run if the last ones failed."""
    since = clock.now() - dt.timedelta(seconds=LOOK_BACK_SECONDS)
    finished = instance.get_run_records(
        RunsFilter(statuses=_FINISHED, updated_after=since), limit=MAX_FINISHED
    )
    return processing_runs.retry_seconds(map(_run, finished))


def fail_lost_runs(instance: DagsterInstance) -> list[str]:
    """Mark runs whose process is gone as failed, which Dagster does not do, and return their ids."""
    lost = [run for run in instance.get_runs(RunsFilter(statuses=_LIVE)) if is_lost(run)]
    for run in lost:
        instance.report_run_failed(run, "The process of this run is gone; another run continues its work.")
    return [run.run_id for run in lost]


def run_request(instance: DagsterInstance) -> RunRequest:
    """Return the request of a run that processes documents.

    Its key is the newest such run there is, so that a tick whose run can't be seen yet is not repeated.
    """
    newest = instance.get_run_records(RunsFilter(job_name=UPLOAD), limit=1)
    return RunRequest(job_name=UPLOAD, run_key=f"after {newest[0].dagster_run.run_id if newest else 'none'}")


def _run(record: RunRecord) -> Run:
    run = record.dagster_run
    return Run(
        run.run_id,
        run.job_name,
        None if run.asset_selection is None else [key.path for key in run.asset_selection],
        has_failed=processing_runs.has_failed_by_itself(run.tags),
        ended_at=record.end_time,
        location=None if run.remote_job_origin is None else run.remote_job_origin.location_name,
    )


def _is_live(record: RunRecord) -> bool:
    run = record.dagster_run
    if run.status is DagsterRunStatus.QUEUED:
        return True
    if PROCESS_TAG in run.tags:
        return not is_lost(run)
    # Dagster itself ends a start that takes too long, but not one that its daemon has not begun.
    longest = dt.timedelta(seconds=RUN_START_SECONDS + 2 * MONITOR_SECONDS)
    return clock.now() - record.update_timestamp < longest
