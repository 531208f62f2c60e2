"""The runs of a project that read documents, as Dagster's instance stores them."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping

from dagster import DagsterInstance, DagsterRun, DagsterRunStatus, RunRecord, RunRequest, RunsFilter

from docduck import clock
from docduck.service.core.installation import Installation
from docduck.service.runs.processing_runs import (
    FINISHED_STATUSES,
    LIVE_STATUSES,
    LOOK_BACK_SECONDS,
    MAX_FINISHED,
    Run,
    delay_seconds,
)
from docduck.service.runs.run_request import may_request
from docduck.service.sources.sources import Source

LIVE = [DagsterRunStatus(status) for status in LIVE_STATUSES]
_FINISHED = [DagsterRunStatus(status) for status in FINISHED_STATUSES]


class ReadingRuns(ABC):
    """The runs of a project that read documents."""

    def live(self, instance: DagsterInstance) -> Run | None:
        """Return a run that reads documents, or is about to."""
        records = instance.get_run_records(RunsFilter(statuses=LIVE))
        return next(self._reading(filter(self.is_live, records)), None)

    def retry_seconds(self, instance: DagsterInstance) -> float:
        """Return the seconds to wait before another run if the last ones failed."""
        since = clock.now() - dt.timedelta(seconds=LOOK_BACK_SECONDS)
        recent = RunsFilter(statuses=_FINISHED, updated_after=since)
        return delay_seconds(self._reading(instance.get_run_records(recent, limit=MAX_FINISHED)))

    def may_request(self, inst: Installation, instance: DagsterInstance) -> bool:
        """Return whether to request a run, as no other sensor has just done so; note that one was."""
        return may_request(inst, self._newest(instance))

    def _newest(self, instance: DagsterInstance) -> str:
        run = next(self._reading(instance.get_run_records(limit=MAX_FINISHED)), None)
        return "none" if run is None else run.id

    @abstractmethod
    def request(
        self, instance: DagsterInstance, source: Source | None = None, target_ids: Iterable[str] = ()
    ) -> RunRequest:
        """Return the request of a run for new documents of a source, or queued ones of parsers and
        classifiers.
        """

    def takes(self, target_id: str) -> bool:
        """Return whether a run can read the queued documents of a parser or classifier."""
        return True

    @abstractmethod
    def untold(
        self, inst: Installation, instance: DagsterInstance, versions: Mapping[str, dt.datetime]
    ) -> list[str]:
        """Return the parsers whose tables are not as Dagster was told last; ``versions`` are those now."""

    def fail_lost(self, instance: DagsterInstance) -> list[str]:
        """Mark runs whose process is gone as failed, where Dagster does not do it; return their ids."""
        return []

    @abstractmethod
    def reads(self, run: Run) -> bool:
        """Return whether a run reads documents."""

    @abstractmethod
    def has_failed(self, run: DagsterRun) -> bool:
        """Return whether a run failed by a fault that another run may meet, too."""

    def is_live(self, record: RunRecord) -> bool:
        """Return whether a run that has not ended will go on."""
        return True

    def _reading(self, records: Iterable[RunRecord]) -> Iterator[Run]:
        for record in records:
            run = record.dagster_run
            known = Run(
                run.run_id,
                run.job_name,
                None if run.asset_selection is None else [key.path for key in run.asset_selection],
                has_failed=self.has_failed(run),
                ended_at=record.end_time,
                location=None if run.remote_job_origin is None else run.remote_job_origin.location_name,
            )
            if self.reads(known):
                yield known
