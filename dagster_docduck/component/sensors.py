"""The sensors that process new documents, in a project of one's own: one of each source, one of the queue."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dagster import (
    AssetKey,
    DagsterInstance,
    DagsterRun,
    DagsterRunStatus,
    RunRequest,
    SensorDefinition,
)

from dagster_docduck.assets.names import OWN_NAMES, Names
from dagster_docduck.assets.sources import source_key, source_name
from dagster_docduck.assets.told_versions import untold_tables
from dagster_docduck.queue_sensor import queue_sensor
from dagster_docduck.reading_runs import ReadingRuns
from dagster_docduck.retries import NO_RETRY_TAGS
from dagster_docduck.source_sensors import source_sensor
from docduck.service.core.installation import Installation
from docduck.service.runs.processing_runs import BLOCKED_TAG, Run
from docduck.service.sources.sources import Source

SECONDS = 10
"""The time between two ticks of a sensor."""


@dataclass(frozen=True, slots=True)
class TableRuns(ReadingRuns):
    """The runs that materialise parsers' tables, in any job.

    ``tables`` are the keys by id of the parser or classifier, ``by_source`` those of tables that documents
    of a source, by its name, may be for.
    """

    tables: Mapping[str, Sequence[AssetKey]]
    by_source: Mapping[str, Sequence[AssetKey]]
    names: Names = OWN_NAMES

    def request(
        self, instance: DagsterInstance, source: Source | None = None, target_ids: Iterable[str] = ()
    ) -> RunRequest:
        keys = self.tables_of(target_ids) if source is None else self.assets(source)
        return RunRequest(asset_selection=keys, tags=NO_RETRY_TAGS)

    def takes(self, target_id: str) -> bool:
        return target_id in self.tables

    def untold(
        self, inst: Installation, instance: DagsterInstance, versions: Mapping[str, dt.datetime]
    ) -> list[str]:
        mine = {id: at for id, at in versions.items() if id in self.tables}
        return [
            one.parser.id
            for one in untold_tables(inst, instance, mine, self.names)
            # Tables that are newer than the definitions wait for these.
            if not set(self.tables[one.parser.id]).isdisjoint(one.keys)
        ]

    def assets(self, source: Source) -> list[AssetKey]:
        """Return the keys of a source, and of the tables that its documents are for."""
        return [self.names.of(source_key(source)), *self.by_source[source.name]]

    def tables_of(self, target_ids: Iterable[str]) -> list[AssetKey]:
        """Return the keys of the tables that documents of these parsers and classifiers are for."""
        return sorted({key for target_id in target_ids for key in self.tables[target_id]})

    def reads(self, run: Run) -> bool:
        return any(key.path in (run.assets or ()) for tables in self.tables.values() for key in tables)

    def has_failed(self, run: DagsterRun) -> bool:
        return run.status is DagsterRunStatus.FAILURE and BLOCKED_TAG not in run.tags


def new_documents_sensors(sources: Sequence[Source], runs: TableRuns) -> list[SensorDefinition]:
    """Return a sensor of each source, and one of documents that are queued without a run."""
    sensors = [_source_sensor(source, runs) for source in sources]
    if runs.tables:
        tables = runs.tables_of(runs.tables)
        sensors.append(queue_sensor("docduck_queued_documents", runs, SECONDS, asset_selection=tables))
    return sensors


def _source_sensor(source: Source, runs: TableRuns) -> SensorDefinition:
    name = f"docduck_{source_name(source)}_sensor"
    key = runs.names.of(source_key(source))
    return source_sensor(name, source, key, runs, SECONDS, asset_selection=runs.assets(source))
