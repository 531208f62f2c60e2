"""The sensors that process new documents, in a project of one's own: one of each source, one of the queue."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from dagster import (
    AssetKey,
    DagsterInstance,
    DagsterRun,
    DagsterRunStatus,
    DefaultSensorStatus,
    ResourceParam,
    RunRequest,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)

from dagster_docduck.assets.names import OWN_NAMES, Names
from dagster_docduck.assets.sources import source_key, source_name
from dagster_docduck.reading_runs import ReadingRuns
from dagster_docduck.retries import NO_RETRY_TAGS
from dagster_docduck.source_sensors import source_sensor
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.waiting import note_next_run
from docduck.service.processing.document_queue import backlogs
from docduck.service.runs.processing_runs import BLOCKED_TAG, Run
from docduck.service.sources.sources import Source

SECONDS = 10
"""The time between two ticks of a sensor."""


@dataclass(frozen=True, slots=True)
class TableRuns(ReadingRuns):
    """The runs that materialise parsers' tables, in any job; ``tables`` are the keys by id of the
    parser or classifier.
    """

    tables: Mapping[str, Sequence[AssetKey]]
    by_source: Mapping[str, Collection[str]]
    """The ids of the parsers and classifiers that a source, by its name, may hold documents for."""
    names: Names = OWN_NAMES

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

    def reads(self, run: Run) -> bool:
        return any(key.path in (run.assets or ()) for tables in self.tables.values() for key in tables)

    def has_failed(self, run: DagsterRun) -> bool:
        return run.status is DagsterRunStatus.FAILURE and BLOCKED_TAG not in run.tags


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
