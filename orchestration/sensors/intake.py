"""The sensors of sources: each requests a run when its source holds new files."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from dagster import DagsterInstance, RunRequest, SensorDefinition

from assets.table_specs import TableAsset
from dagster_docduck.source_sensors import source_sensor
from dagster_docduck.sources import source_name
from docduck.service.runs.processing_runs import Run
from docduck.service.sources.sources import Source
from orchestration.runs import ProcessingJobs, live_run, retry_seconds, run_request


@dataclass(frozen=True, slots=True)
class _Runs:
    """The runs of docduck's own code location."""

    tables: Collection[TableAsset]

    def live(self, instance: DagsterInstance) -> Run | None:
        return live_run(instance)

    def retry_seconds(self, instance: DagsterInstance) -> float:
        return retry_seconds(instance)

    def request(self, source: Source, labels: Collection[str]) -> RunRequest:
        return run_request(self.tables, labels)


def intake_sensor(
    source: Source, tables: Collection[TableAsset], jobs: ProcessingJobs, minimum_interval_seconds: int
) -> SensorDefinition:
    """Return the sensor of ``source``."""
    name = f"{source_name(source)}_sensor"
    return source_sensor(name, source, _Runs(tables), minimum_interval_seconds, jobs=jobs)
