"""A run that processes documents, and its events in Dagster.

It processes queued documents of all parsers, whichever tables it was started for. Events of the run report
the tables of other parsers, and those that are not in the definitions yet.
"""

from __future__ import annotations

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

from assets.classifiers import routing_events
from assets.exports import export_after_run
from assets.project import Project
from assets.run_tags import OperationTags
from assets.source_watcher import SourceWatcher
from assets.sources import intake_metadata, source_key
from assets.table_checks import check_evaluations
from assets.table_metadata import Metadata, table_metadata
from assets.table_specs import TableAsset, documents_key, tables_of
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import Claim
from docduck.service.outputs.folder_exports import ExportView
from docduck.service.parsers.parsers import ParserView, parsers_with_ids
from docduck.service.processing.processing import process_queue
from docduck.service.processing.run_lock import exclusive_run
from docduck.service.processing.run_report import RunReport

PROGRESS_SECONDS = 10.0


class ProcessingRun:
    """A run that processes documents; ``planned`` are the assets that it was started for."""

    def __init__(
        self,
        context: AssetExecutionContext | OpExecutionContext,
        inst: Installation,
        project: Project,
        planned: Collection[AssetKey] = (),
    ) -> None:
        self._context = context
        self._inst = inst
        self._project = project
        self._planned = planned
        self._reports: dict[str, RunReport] = {}
        self._exports: dict[str, list[ExportView]] = {}
        self._next_progress = 0.0
        self._classifiers: set[str] = set()

    @contextmanager
    def exclusive(self) -> Iterator[bool]:
        """Yield whether this run may process documents; no other run of this machine does meanwhile."""
        with exclusive_run(self._inst) as alone:
            if not alone:
                self._context.log.info("Another run of this machine reads documents, those of all parsers.")
            yield alone

    def process(self) -> None:
        """Process until no document is left."""
        run_id = self._context.run.run_id
        tags = OperationTags(self._context.instance, run_id, self._inst.settings.max_operation_tags)
        self._next_progress = time.monotonic() + PROGRESS_SECONDS
        with SourceWatcher(self._inst, self._project.sources, self._context.log) as watcher:
            reports = process_queue(
                self._inst,
                on_progress=self._log_progress,
                on_report=self._report,
                expecting=watcher.expected,
                run_id=run_id,
                on_claimed=partial(self._claimed, tags),
            )
            tags.write()
        for source, report in watcher.reports():
            metadata = intake_metadata(report)
            self._context.log_event(AssetMaterialization(asset_key=source_key(source), metadata=metadata))
        for event in routing_events(self._inst, self._project.classifiers, self._classifiers):
            self._context.log_event(event)
        self._report(reports, at_end=True)

    def metadata(self, tables: Sequence[TableAsset]) -> Iterator[tuple[TableAsset, Metadata]]:
        """Yield each of these tables with the metadata of its materialisation by this run."""
        # The private file: an analyst may have locked the published copy.
        counts = self._inst.warehouse.counts(published=False)
        for one in tables:
            report = self._reports.get(one.parser.id) or RunReport(one.parser.id, one.parser.slug)
            exported = self._exports.get(one.parser.id, [])
            yield one, table_metadata(self._inst, one, report, counts, exported)

    def _claimed(self, tags: OperationTags, claims: Sequence[Claim]) -> None:
        tags.add(claims)
        self._classifiers.update(claim.target_id for claim in claims if claim.parser_id is None)

    def _log_progress(self, done: int) -> None:
        # Dagster keeps each line as an event.
        if time.monotonic() >= self._next_progress:
            self._next_progress = time.monotonic() + PROGRESS_SECONDS
            self._context.log.info(f"{done} documents read so far")

    def _report(self, reports: Sequence[RunReport], at_end: bool = False) -> None:
        """Write exports and log events for parsers with documents since the last call.

        Dagster stores a run's events only when its step ends; before, they are reported without a run. At the
        end, planned tables are left to their materialisation.
        """
        changed = [one for one in reports if one.documents > self._documents(one.parser_id)]
        self._reports |= {one.parser_id: one for one in reports}
        for parser in parsers_with_ids(self._inst, [one.parser_id for one in changed]):
            if parser.problem:
                continue
            report = self._reports[parser.id]
            self._exports.setdefault(parser.id, []).extend(
                export_after_run(self._inst, self._project.exports, parser, report, self._context.log)
            )
            if not at_end:
                self._log_events(parser, self._context.instance.report_runless_asset_event)
            elif documents_key(parser.slug) not in self._planned:
                self._log_events(parser, self._context.log_event)

    def _documents(self, parser_id: str) -> int:
        return self._reports[parser_id].documents if parser_id in self._reports else 0

    def _log_events(self, parser: ParserView, log: Callable[[Any], None]) -> None:
        for one, metadata in self.metadata(tables_of(self._project, parser)):
            log(AssetMaterialization(asset_key=one.key, metadata=metadata))
        for evaluation in check_evaluations(self._inst, parser):
            log(evaluation)
