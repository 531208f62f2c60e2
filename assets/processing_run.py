"""A run that processes documents, and its events in Dagster.

It processes queued documents of all parsers, whichever tables it was started for. Events of the run report
the tables that it was not planned for, among them those that are not in the definitions yet, and those that
another process has written without telling.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from dagster import (
    AssetExecutionContext,
    AssetKey,
    AssetMaterialization,
    MaterializeResult,
    OpExecutionContext,
)
from pydantic import Field

from dagster_docduck.assets.classifiers import routing_events
from dagster_docduck.assets.exports import exports_after_run
from dagster_docduck.assets.parser_tables import ParserTables
from dagster_docduck.assets.project import Project, current_signature
from dagster_docduck.assets.reading_config import ReadingConfig, chosen, find_parser
from dagster_docduck.assets.run_tags import OperationsTag
from dagster_docduck.assets.sources import intake_metadata, source_key
from dagster_docduck.assets.table_checks import TableChecks
from dagster_docduck.assets.table_events import table_events
from dagster_docduck.assets.table_metadata import Metadata, table_metadata
from dagster_docduck.assets.table_specs import TableAsset, tables_of
from dagster_docduck.assets.told_versions import UntoldTables, data_version, untold_tables
from dagster_docduck.private_dagster import report_planned
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import Claim
from docduck.service.documents.queries.days import days_changed, days_created
from docduck.service.outputs.table_versions import table_versions
from docduck.service.parsers.parsers import ParserView, parsers_with_ids, team_slugs
from docduck.service.processing.document_queue import backlogs
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.processing.run_lock import exclusive_run, is_wanted
from docduck.service.processing.run_report import RunReport
from docduck.service.runs.source_watcher import SourceWatcher

MAX_RUN_OPERATIONS = 1000
"""In the tag ``docduck/operations``."""

PROGRESS_SECONDS = 10.0
_LOOK_SECONDS = 5.0
"""How often a run without work checks that its definitions are up to date."""


class RunConfig(ReadingConfig):
    """Which documents to ingest and process; the rest is left to the next run."""

    sources: list[str] | None = Field(
        None, description="Names of the sources to ingest from during the run; all sources if not given"
    )


class ProcessingRun:
    """A run that processes documents; ``planned`` are the assets that it was started for, or their ``days``.

    Raise NotFound for an unknown parser or source in ``config``.
    """

    def __init__(
        self,
        context: AssetExecutionContext | OpExecutionContext,
        inst: Installation,
        project: Project,
        config: RunConfig,
        planned: Collection[AssetKey] = (),
        days: Collection[str] = (),
    ) -> None:
        self._context = context
        self._inst = inst
        self._project = project
        self._checks = TableChecks(inst, context.instance, project.bounds)
        self._config = config
        self._only = None if config.parsers is None else {find_parser(inst, ref).id for ref in config.parsers}
        self._sources = chosen(
            config.sources, [(source, (source.name,)) for source in project.sources], "source"
        )
        self._planned = frozenset(planned)
        self._planned_days = frozenset(days)
        self._shown_as_planned: set[tuple[AssetKey, str | None]] = set()
        self._told: dict[str, dt.datetime] = {}
        self._reports: dict[str, RunReport] = {}
        self._unexported: dict[str, ParserTables] = {}
        self._next_progress = 0.0
        self._next_look = time.monotonic() + _LOOK_SECONDS
        self._classifiers: set[str] = set()

    @contextmanager
    def exclusive(self) -> Iterator[bool]:
        """Yield whether this run may process documents; no other run of this machine does meanwhile."""
        with exclusive_run(self._inst) as alone:
            if not alone:
                self._context.log.info("Another run of this machine reads documents, those of all parsers.")
            yield alone

    def process(self, warm_seconds: float = 0.0) -> None:
        """Process until no document is left, and none has arrived for ``warm_seconds``.

        What was written is exported, and told to Dagster, when no document is left, but not more often than
        ``REPORT_SECONDS`` allows.
        """
        run_id = self._context.run.run_id
        operations = OperationsTag(self._context.instance, run_id, MAX_RUN_OPERATIONS)
        self._next_progress = time.monotonic() + PROGRESS_SECONDS
        self._show_as_planned(id for id, work in backlogs(self._inst).items() if work.unprojected)
        with SourceWatcher(self._inst, self._sources, self._context.log) as watcher:
            options = RunOptions(
                max_seconds=self._config.max_seconds,
                max_documents=self._config.max_documents,
                only=self._only,
                on_progress=self._log_progress,
                on_report=self._report,
                stay=partial(self._stays, warm_seconds),
                expecting=watcher.expected,
                run_id=run_id,
                on_claimed=partial(self._claimed, operations),
            )
            reports = process_queue(self._inst, options)
            operations.write()
        for source, report in watcher.reports():
            metadata = intake_metadata(report)
            self._context.log_event(AssetMaterialization(asset_key=source_key(source), metadata=metadata))
        self._report(reports)

    def results(self, tables: Sequence[TableAsset]) -> Iterator[MaterializeResult[None]]:
        """Yield the materialisations of planned tables, and write the exports that follow them."""
        # Read before the rows: what is written in between is told once more.
        versions = table_versions(self._inst)
        exported = [event for parser in self._unexported.values() for event in self._written_exports(parser)]
        for table, metadata in self._metadata(tables):
            version = data_version(versions.get(table.parser.id))
            yield MaterializeResult(asset_key=table.key, metadata=metadata, data_version=version)
        for event in exported:
            self._context.log_event(event)

    def _metadata(self, tables: Sequence[TableAsset]) -> Iterator[tuple[TableAsset, Metadata]]:
        """Yield each of these tables with the metadata of its materialisation by this run."""
        # The private file: an analyst may have locked the published copy.
        counts = self._inst.warehouse.counts(published=False) if tables else {}
        ids = {table.parser.id for table in tables}
        parsers = [parser for parser in parsers_with_ids(self._inst, ids) if not parser.problem]
        # The definitions may be older than the parsers: tell the columns that were written.
        newest = {table.key: table for parser in parsers for table in self._tables_of(parser)}
        for planned in tables:
            table = newest.get(planned.key, planned)
            report = self._reports.get(table.parser.id) or RunReport(table.parser.id, table.parser.slug)
            yield table, table_metadata(self._inst, table, report, counts)

    def _claimed(self, operations: OperationsTag, claims: Sequence[Claim]) -> None:
        operations.add(claims)
        self._classifiers.update(claim.target_id for claim in claims if claim.parser_id is None)
        by_parser: dict[str, list[str]] = {}
        for claim in claims:
            if claim.parser_id is not None:
                by_parser.setdefault(claim.parser_id, []).append(claim.document_id)
        self._show_as_planned(by_parser, by_parser)

    def _show_as_planned(
        self, parser_ids: Iterable[str], documents: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        """Have Dagster show the parsers' tables as materialising until this run has told of them.

        Of tables with partitions, those of ``documents`` are shown, which are ids by parser.
        """
        for parser in parsers_with_ids(self._inst, set(parser_ids)):
            for table in [] if parser.problem else self._tables_of(parser):
                days: Sequence[str | None] = [None]
                if table.is_partitioned:
                    created = days_created(self._inst, (documents or {}).get(parser.id, ()))
                    days = self._partitions(parser, created)
                for day in days:
                    if table.key not in self._planned and (table.key, day) not in self._shown_as_planned:
                        self._shown_as_planned.add((table.key, day))
                        report_planned(self._context, table.key, day)

    def _log_progress(self, done: int) -> None:
        # Dagster keeps each line as an event.
        if time.monotonic() >= self._next_progress:
            self._next_progress = time.monotonic() + PROGRESS_SECONDS
            self._context.log.info(f"{done} documents read so far")

    def _stays(self, warm_seconds: float, idle_seconds: float) -> bool:
        """Return whether to wait for more: nobody waits for this run to end, nor are its definitions old."""
        if idle_seconds >= warm_seconds or is_wanted(self._inst):
            return False
        if time.monotonic() < self._next_look:
            return True
        self._next_look = time.monotonic() + _LOOK_SECONDS
        return current_signature(self._inst) == self._project.signature

    def _report(self, reports: Sequence[RunReport]) -> None:
        """Log events for classifiers and tables of which Dagster does not know what they are now."""
        self._reports |= {report.parser_id: report for report in reports}
        for event in routing_events(self._inst, self._project.classifiers, self._classifiers):
            self._context.log_event(event)
        self._classifiers.clear()
        versions = table_versions(self._inst)
        changed = {id: at for id, at in versions.items() if self._told.get(id) != at}
        for untold in untold_tables(self._inst, self._context.instance, changed):
            if not self._planned.isdisjoint(untold.tables.keys):
                self._unexported[untold.parser.id] = untold.tables
            self._tell(untold)
        self._told = versions

    def _tell(self, untold: UntoldTables) -> None:
        """Log the events of tables that this run was not planned for, and write the exports after each run.

        Planned tables, and the exports that follow them, are left to ``results``. The exports are written
        first: if this run is killed in between, the next one does all of it again.
        """
        exports = untold.parser.id not in self._unexported
        exported = list(self._written_exports(untold.tables)) if exports else []
        tables = [table for table in self._tables_of(untold.parser) if table.key in untold.keys]
        days = self._days(untold)
        # Dagster accepts evaluations of checks here, but does not say so.
        log: Callable[[Any], None] = self._context.log_event
        for is_planned, its_days in ((False, days), (True, self._unplanned(days))):
            some = [table for table in tables if (table.key in self._planned) is is_planned and its_days]
            metadata = {table.key: metadata for table, metadata in self._metadata(some)}
            for event in table_events(self._checks, untold, metadata, its_days):
                log(event)
        for event in exported:
            log(event)

    def _unplanned(self, days: Sequence[str | None]) -> list[str | None]:
        """Return the partitions of planned tables that this run was not started for."""
        return [day for day in days if self._planned_days and day not in self._planned_days]

    def _written_exports(self, tables: ParserTables) -> Iterator[AssetMaterialization]:
        bounds = self._project.bounds.get(tables.slug, ())
        return exports_after_run(self._inst, self._project.exports, tables, bounds, self._context.log)

    def _tables_of(self, parser: ParserView) -> list[TableAsset]:
        # Its team may be newer than the definitions, too.
        return tables_of(self._project, ParserTables.of(parser, team_slugs(self._inst)[parser.team_id]))

    def _days(self, untold: UntoldTables) -> Sequence[str | None]:
        """Return the partitions that have changed; None for tables without partitions."""
        if untold.parser.slug not in self._project.first_days:
            return [None]
        changed = days_changed(self._inst, untold.parser.id, untold.since)
        return self._partitions(untold.parser, changed) or [None]

    def _partitions(self, parser: ParserView, days: Iterable[dt.date]) -> list[str]:
        """Return those of ``days`` that the parser's tables have partitions of."""
        return [day.isoformat() for day in days if day >= self._project.first_days[parser.slug]]
