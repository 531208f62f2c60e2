"""Runs that process documents: those that Dagster's instance stores, and the sensors' request of one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

from dagster import DagsterInstance, DagsterRun, DagsterRunStatus, RunRecord, RunRequest, RunsFilter

from dagster_docduck.assets.told_versions import untold_tables
from dagster_docduck.reading_runs import LIVE, ReadingRuns
from dagster_docduck.resources.installation import PROCESS_TAG, is_lost
from docduck import clock
from docduck.service.core.installation import Installation
from docduck.service.processing.run_lock import RUN_START_SECONDS
from docduck.service.runs.processing_runs import UPLOAD, Run, has_failed_by_itself
from docduck.service.sources.sources import Source

MONITOR_SECONDS = 30
"""How often Dagster looks for runs whose start takes too long, which it then marks as failed."""


class UploadRuns(ReadingRuns):
    """The runs of docduck's own code location; each reads the documents of all parsers."""

    def request(
        self, instance: DagsterInstance, source: Source | None = None, target_ids: Iterable[str] = ()
    ) -> RunRequest:
        """Return the request of a run that processes documents.

        Its key is the newest such run there is, so that a tick whose run can't be seen yet is not repeated.
        """
        return RunRequest(job_name=UPLOAD, run_key=f"after {self._newest(instance)}")

    def untold(
        self, inst: Installation, instance: DagsterInstance, versions: Mapping[str, dt.datetime]
    ) -> list[str]:
        return [one.parser.id for one in untold_tables(inst, instance, versions)]

    def reads(self, run: Run) -> bool:
        return run.processes_documents

    def has_failed(self, run: DagsterRun) -> bool:
        return has_failed_by_itself(run.tags)

    def is_live(self, record: RunRecord) -> bool:
        """Return whether a run is queued, starting, or executed by a process that exists."""
        run = record.dagster_run
        if run.status is DagsterRunStatus.QUEUED:
            return True
        if PROCESS_TAG in run.tags:
            return not is_lost(run)
        # Dagster itself ends a start that takes too long, but not one that its daemon has not begun.
        longest = dt.timedelta(seconds=RUN_START_SECONDS + 2 * MONITOR_SECONDS)
        return clock.now() - record.update_timestamp < longest

    def fail_lost(self, instance: DagsterInstance) -> list[str]:
        lost = [run for run in instance.get_runs(RunsFilter(statuses=LIVE)) if is_lost(run)]
        for run in lost:
            message = "The process of this run is gone; another run continues its work."
            instance.report_run_failed(run, message)
        return [run.run_id for run in lost]


UPLOAD_RUNS = UploadRuns()
