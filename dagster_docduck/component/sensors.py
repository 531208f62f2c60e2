"""The sensors that process new documents, in a project of one's own: one of each source, one of the queue."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from dagster import (
    AssetKey,
    DagsterInstance,
    DagsterRunStatus,
    DefaultSensorStatus,
    ResourceParam,
    RunRecord,
    RunRequest,
    RunsFilter,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)

from dagster_docduck.assets.names import OWN_NAMES, Names
from dagster_docduck.assets.sources import source_key, source_name
from dagster_docduck.retries import NO_RETRY_TAGS
from dagster_docduck.source_sensors import source_sensor
from docduck import clock
from docduck.service.core.installation import Installation
from docduck.service.core.next_run import note_next_run
from docduck.service.processing.document_queue import backlogs
from docduck.service.runs.processing_runs import (
    BLOCKED_TAG,
    FINISHED_STATUSES,
    LIVE_STATUSES,
    LOOK_BACK_SECONDS,
    MAX_FINISHED,
    Run,
    delay_seconds,
)
from docduck.service.sources.sources import Source

SECONDS = 10
"""The time between two ticks of a sensor."""

_LIVE = [DagsterRunStatus(status) for status in LIVE_STATUSES]
_FINISHED = [DagsterRunStatus(status) for status in FINISHED_STATUSES]


@dataclass(frozen=True, slots=True)
class TableRuns:
    """The runs that materialise parsers' tables, in any job; ``tables`` are the keys by id of the
    parser or classifier.
    """

    tables: Mapping[str, Sequence[AssetKey]]
    by_source: Mapping[str, Collection[str]]
    """The ids of the parsers and classifiers that a source, by its name, may hold documents for."""
    names: Names = OWN_NAMES

    def live(self, instance: DagsterInstance) -> Run | None:
        """Return a run that reads documents, or is about to."""
        records = instance.get_run_records(RunsFilter(statuses=_LIVE))
        return next(map(_run, filter(self._reads, records)), None)

    def retry_seconds(self, instance: DagsterInstance) -> float:
        """Return the seconds to wait before another run if the last ones failed."""
        since = clock.now().timestamp() - LOOK_BACK_SECONDS
        finished = instance.get_run_records(RunsFilter(statuses=_FINISHED), limit=MAX_FINISHED)
        recent = (record for record in finished if (record.end_time or 0.0) >= since)
        return delay_seconds(map(_run, filter(self._reads, recent)))

    def request(self, instance: DagsterInstance, source: Source) -> RunRequest:
        """Return the request of a run that ingests from a source, and reads what it holds."""
        return RunRequest(asset_selection=self.assets(source), tags=NO_RETRY_TAGS)

    def request_for(self, parser_ids: Collection[str]) -> RunRequest:
        """Return the request of a run that reads the queued documents of parsers."""
        keys = {key for parser_id in parser_ids for key in self.tables[parser_id]}
        return RunRequest(asset_selection=sorted(keys), tags=NO_RETRY_TAGS)

    def assets(self, source: Source) -> list[AssetKey]:
        """Return the keys of a source, and of the tables that its documents are for."""
        tables = {key for target_id in self.by_source[source.name] for key in self.tables[target_id]}
        return [self.names.of(source_key(source)), *sorted(tables)]

    def _reads(self, record: RunRecord) -> bool:
        keys = record.dagster_run.asset_selection or ()
        return any(key in keys for tables in self.tables.values() for key in tables)


def new_documents_sensors(sources: Sequence[Source], runs: TableRuns) -> list[SensorDefinition]:
    """Return a sensor of each source, and one of documents that are queued without a run."""
    return [
        *(_source_sensor(source, runs) for source in sources),
        *([_queue_sensor(runs)] if runs.tables else []),
    ]


def _source_sensor(source: Source, runs: TableRuns) -> SensorDefinition:
    name = f"docduck_{source_name(source)}_sensor"
    key = runs.names.of(source_key(source))
    return source_sensor(name, source, key, runs, SECONDS, asset_selection=runs.assets(source))


def _queue_sensor(runs: TableRuns) -> SensorDefinition:
    @sensor(
        name="docduck_queued_documents",
        asset_selection=sorted({key for tables in runs.tables.values() for key in tables}),
        minimum_interval_seconds=SECONDS,
        default_status=DefaultSensorStatus.RUNNING,
        description="Starts a run when documents are queued and no run reads.",
    )
    def queued_documents(
        context: SensorEvaluationContext, installation: ResourceParam[Installation]
    ) -> SensorResult | SkipReason:
        work = backlogs(installation)
        waiting = [
            target_id
            for target_id in runs.tables
            if target_id in work and (work[target_id].queued or work[target_id].expired)
        ]
        if not waiting:
            return SkipReason("No documents are queued.")
        if run := runs.live(context.instance):
            return SkipReason(f"Run {run.id[:8]} processes documents.")
        if seconds := runs.retry_seconds(context.instance):
            note_next_run(installation, seconds)
            return SkipReason(f"The last runs failed; trying again in {seconds:.0f} s.")
        return SensorResult(run_requests=[runs.request_for(waiting)])

    return queued_documents


def _run(record: RunRecord) -> Run:
    run = record.dagster_run
    return Run(
        run.run_id,
        run.job_name,
        None if run.asset_selection is None else [key.path for key in run.asset_selection],
        has_failed=run.status is DagsterRunStatus.FAILURE and BLOCKED_TAG not in run.tags,
        ended_at=record.end_time,
    )
