"""The asset that processes documents, in a project of one's own."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dagster import (
    AssetExecutionContext,
    AssetKey,
    AssetsDefinition,
    AssetSpec,
    MaterializeResult,
    ResourceParam,
    multi_asset,
)

from dagster_docduck.exports import exports_after_run
from dagster_docduck.parser_tables import ParserTables
from dagster_docduck.preview import preview
from docduck.service.core.installation import Installation
from docduck.service.pipeline.export_specs import ExportSpec
from docduck.service.processing.processing import process_queue
from docduck.service.processing.run_lock import exclusive_run, wait_for_other_run
from docduck.service.processing.run_report import RunReport
from docduck.warehouse.names import DOCUMENTS


def processing_asset(
    name: str, specs: Sequence[AssetSpec], parsers: Sequence[ParserTables], exports: Sequence[ExportSpec]
) -> AssetsDefinition:
    """Return one definition for the tables of ``parsers``.

    Materialising any of them processes all queued documents, and writes the exports with ``after: each run``.
    """

    @multi_asset(name=name, specs=specs, can_subset=True)
    def tables(
        context: AssetExecutionContext, installation: ResourceParam[Installation]
    ) -> Iterator[MaterializeResult[None]]:
        """Process queued documents, and those that arrive meanwhile."""
        with exclusive_run(installation) as alone:
            found = process_queue(installation, run_id=context.run_id) if alone else []
        if not alone:
            context.log.info("Another run of this machine processes documents, those of all parsers.")
            wait_for_other_run(installation)
        reports = {report.slug: report for report in found}
        # The private file: an analyst may have locked the published copy.
        counts = installation.warehouse.counts(published=False)
        for spec in specs:
            if spec.key in context.selected_asset_keys:
                yield MaterializeResult(asset_key=spec.key, metadata=_metadata(spec.key, reports, counts))
        for parser in parsers:
            if parser.slug in reports:
                for event in exports_after_run(installation, exports, parser, context.log):
                    context.log_event(event)

    return tables


def _metadata(
    key: AssetKey, reports: Mapping[str, RunReport], counts: Mapping[str, Mapping[str, int]]
) -> dict[str, Any]:
    slug, table = key.path
    metadata: dict[str, Any] = {"dagster/row_count": counts.get(slug, {}).get(table, 0)}
    report = reports.get(slug)
    if report is None:
        return metadata
    if table != DOCUMENTS:
        return metadata | {"rows": report.rows.get(table, 0)}
    numbers = ("documents", "processed", "failed", "in_review", "skipped", "pages")
    return metadata | {name: getattr(report, name) for name in numbers} | preview(report.preview)
