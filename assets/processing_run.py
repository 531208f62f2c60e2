"""A run that processes documents, and its events in Dagster.

It processes queued documents of all parsers, whichever tables it was started for. Events of the run report
the tables that it was not planned for, among them those that are not in the definitions yet.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from dagster import (
    AssetExecutionContext,
    AssetKey,
    AssetMaterialization,
    OpExecutionContext,
)
from pydantic import Field

from dagster_docduck.assets.classifiers import routing_events
from dagster_docduck.assets.column_changes import COLUMN_SCHEMA
from dagster_docduck.assets.exports import exports_after_run
from dagster_docduck.assets.parser_tables import ParserTables
from dagster_docduck.assets.project import Project, current_signature
from dagster_docduck.assets.reading_config import ReadingConfig, chosen, find_parser
from dagster_docduck.assets.run_tags import OperationsTag
from dagster_docduck.assets.sources import intake_metadata, source_key
from dagster_docduck.assets.table_checks import TableChecks
from dagster_docduck.assets.table_metadata import Metadata, table_metadata
from dagster_docduck.assets.table_specs import TableAsset, documents_key, tables_of
from docduck import clock
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import Claim
from docduck.service.documents.reprocessing import days_processed
from docduck.service.parsers.parsers import ParserView, parsers_with_ids, team_slugs
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
    """A run that processes documents; ``planned`` are the assets that it was started for.

    Raise NotFound for an unknown parser or source in ``config``.
    """

    def __init__(
        self,
        context: AssetExecutionContext | OpExecutionContext,
        inst: Installation,
        project: Project,
        config: RunConfig,
        planned: Collection[AssetKey] = (),
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
        self._planned = planned
        self._begin = clock.now()
        self._reported: dict[str, dt.datetime] = {}
        self._reports: dict[str, RunReport] = {}
        self._unexported: dict[str, ParserView] = {}
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

        What was written is reported, and exported, whenever no document is left.
        """
        run_id = self._context.run.run_id
        operations = OperationsTag(self._context.instance, run_id, MAX_RUN_OPERATIONS)
        self._next_progress = time.monotonic() + PROGRESS_SECONDS
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

    def metadata(self, tables: Sequence[TableAsset]) -> Iterator[tuple[TableAsset, Metadata]]:
        """Yield each of these tables with the metadata of its materialisation by this run."""
        # The private file: an analyst may have locked the published copy.
        counts = self._inst.warehouse.counts(published=False)
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
        """Log events for parsers with documents since the last call, and write their exports.

        Planned tables, and the exports that follow them, are left to their materialisation.
        """
        changed = [report for report in reports if report.changes > self._changes(report.parser_id)]
        self._reports |= {report.parser_id: report for report in reports}
        for event in routing_events(self._inst, self._project.classifiers, self._classifiers):
            self._context.log_event(event)
        self._classifiers.clear()
        for parser in parsers_with_ids(self._inst, [report.parser_id for report in changed]):
            if parser.problem:
                continue
            if documents_key(parser.slug) in self._planned:
                self._unexported[parser.id] = parser
            else:
                self._log_events(parser)
                self._export(parser)

    def export(self) -> None:
        """Write the exports with ``after: each run`` of planned tables, after the tables' own events."""
        for parser in self._unexported.values():
            self._export(parser)

    def _export(self, parser: ParserView) -> None:
        for event in self._written_exports(parser):
            self._context.log_event(event)

    def _written_exports(self, parser: ParserView) -> Iterator[AssetMaterialization]:
        tables = self._parser_tables(parser)
        bounds = self._project.bounds.get(parser.slug, ())
        return exports_after_run(self._inst, self._project.exports, tables, bounds, self._context.log)

    def _tables_of(self, parser: ParserView) -> list[TableAsset]:
        return tables_of(self._project, self._parser_tables(parser))

    def _parser_tables(self, parser: ParserView) -> ParserTables:
        # Its team may be newer than the definitions, too.
        return ParserTables.of(parser, team_slugs(self._inst)[parser.team_id])

    def _changes(self, parser_id: str) -> int:
        return self._reports[parser_id].changes if parser_id in self._reports else 0

    def _days(self, parser: ParserView) -> Sequence[str | None]:
        """Return the partitions changed since the last report; None for tables without partitions."""
        first = self._project.first_days.get(parser.slug)
        if first is None:
            return [None]
        since, self._reported[parser.id] = self._reported.get(parser.id, self._begin), clock.now()
        days = days_processed(self._inst, parser.id, since)
        return [day.isoformat() for day in days if day >= first]

    def _log_events(self, parser: ParserView) -> None:
        metadata_by_key = {table.key: metadata for table, metadata in self.metadata(self._tables_of(parser))}
        columns = {key: metadata[COLUMN_SCHEMA] for key, metadata in metadata_by_key.items()}
        evaluations = self._checks.evaluations(parser, columns)
        days = self._days(parser)
        for key, metadata in metadata_by_key.items():
            for day in days:
                self._context.log_event(AssetMaterialization(asset_key=key, metadata=metadata, partition=day))
        # Dagster accepts evaluations of checks here, but does not say so.
        log: Callable[[Any], None] = self._context.log_event
        for evaluation in evaluations:
            log(evaluation)
