"""Reading documents in a run, and telling Dagster what came of it.

A run reads what is queued for all parsers, whichever tables it was started for: what becomes of the tables of
other parsers, and of those that are not in the definitions yet, is told by events of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from dagster import (
    AssetCheckEvaluation,
    AssetCheckSeverity,
    AssetExecutionContext,
    AssetKey,
    AssetMaterialization,
    OpExecutionContext,
)

from assets.exports import export_after_run
from assets.project import Project
from assets.run_tags import OperationTags
from assets.source_keys import source_key
from assets.source_metadata import intake_metadata
from assets.table_metadata import Metadata, Progress, table_metadata
from assets.table_specs import TableAsset, documents_key, tables_of
from assets.watch import Watch
from docduck.service.core.installation import Installation
from docduck.service.outputs.exporting import ExportView
from docduck.service.parsers.parsers import ParserView, parsers_with_ids
from docduck.service.processing.processing import process_queue
from docduck.service.processing.run_lock import reading_alone
from docduck.service.processing.run_report import DrainReport
from docduck.service.upkeep.checks import checks

PROGRESS_SECONDS = 10.0


class ReadingRun:
    """A run that reads documents; ``planned`` are the assets that it was started for."""

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
        self._reports: dict[str, DrainReport] = {}
        self._exports: dict[str, list[ExportView]] = {}

    def read(self) -> bool:
        """Read until nothing is left; return False when another run of this machine is at it."""
        with reading_alone(self._inst) as alone:
            if not alone:
                self._context.log.info("Another run of this machine reads documents, those of all parsers.")
                return False
            with Watch(self._inst, self._project.sources, self._context.log) as watch:
                run_id = self._context.run.run_id
                most = self._inst.settings.max_operation_tags
                tags = OperationTags(self._context.instance, run_id, most)
                reports = process_queue(
                    self._inst,
                    on_progress=Progress(self._context.log.info, PROGRESS_SECONDS),
                    on_report=self._tell,
                    expecting=watch.expecting,
                    run_id=run_id,
                    on_claimed=tags,
                )
                tags.write()
        for source, taken in watch.taken():
            metadata = intake_metadata(taken)
            self._context.log_event(AssetMaterialization(asset_key=source_key(source), metadata=metadata))
        self._tell(reports, at_end=True)
        return True

    def metadata(self, tables: Sequence[TableAsset]) -> Iterator[tuple[TableAsset, Metadata]]:
        """Yield what the run has done for each of these tables."""
        # The private file: the published copy may be in the hands of an analyst.
        counts = self._inst.warehouse.counts(published=False)
        for one in tables:
            report = self._reports.get(one.parser.id) or DrainReport(one.parser.id, one.parser.slug)
            exported = self._exports.get(one.parser.id, [])
            yield one, table_metadata(self._inst, one, report, counts, exported)

    def _tell(self, reports: Sequence[DrainReport], at_end: bool = False) -> None:
        """Write the exports of parsers that had documents since this was called last, and log their tables.

        A run keeps its events until its step ends; before, they are logged without a run. At the end, those
        of planned tables are left to their materialisation.
        """
        news = [one for one in reports if one.documents > self._documents(one.parser_id)]
        self._reports |= {one.parser_id: one for one in reports}
        for parser in parsers_with_ids(self._inst, [one.parser_id for one in news]):
            if parser.problem:
                continue
            report = self._reports[parser.id]
            self._exports.setdefault(parser.id, []).extend(
                export_after_run(self._inst, self._project.exports, parser, report, self._context.log)
            )
            if not at_end:
                self._log(parser, self._context.instance.report_runless_asset_event)
            elif documents_key(parser.slug) not in self._planned:
                self._log(parser, self._context.log_event)

    def _documents(self, parser_id: str) -> int:
        return self._reports[parser_id].documents if parser_id in self._reports else 0

    def _log(self, parser: ParserView, log: Callable[[Any], None]) -> None:
        for one, metadata in self.metadata(tables_of(self._project, parser)):
            log(AssetMaterialization(asset_key=one.key, metadata=metadata))
        for result in checks(self._inst, parser):
            evaluation = AssetCheckEvaluation(
                asset_key=documents_key(parser.slug),
                check_name=result.name,
                passed=result.passed,
                severity=AssetCheckSeverity[result.severity.upper()],
                description=result.description,
                metadata=result.metadata,
            )
            log(evaluation)
