"""The asset that processes documents, in a project of one's own."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dagster import (
    AssetCheckResult,
    AssetExecutionContext,
    AssetsDefinition,
    AssetSpec,
    MaterializeResult,
    ResourceParam,
    multi_asset,
)

from dagster_docduck.assets.column_changes import COLUMN_SCHEMA
from dagster_docduck.assets.exports import exports_after_run
from dagster_docduck.assets.names import Names
from dagster_docduck.assets.parser_tables import COLUMN_LINEAGE, ParserTables
from dagster_docduck.assets.preview import preview
from dagster_docduck.assets.reading_config import ReadingConfig, chosen
from dagster_docduck.assets.table_checks import BoundsBySlug, TableChecks, check_specs
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import parsers_with_ids
from docduck.service.pipeline.export_specs import ExportSpec
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.processing.run_lock import exclusive_run, wait_for_other_run
from docduck.service.processing.run_report import RunReport
from docduck.warehouse.names import DOCUMENTS


def processing_asset(
    name: str,
    specs: Sequence[AssetSpec],
    parsers: Sequence[ParserTables],
    exports: Sequence[ExportSpec],
    bounds: BoundsBySlug,
    names: Names,
) -> AssetsDefinition:
    """Return one definition for the tables of ``parsers``, whose ``specs`` have the keys in ``names``.

    Materialising any of them processes all queued documents, and writes the exports with ``after: each run``.
    """

    tables_of_specs = [(spec, slug, table) for spec in specs for slug, table in [names.own(spec.key).path]]
    checks_of_tables = [
        check
        for spec, slug, table in tables_of_specs
        for check in check_specs(spec.key, table, bounds.get(slug, ()))
    ]

    @multi_asset(name=name, specs=specs, check_specs=checks_of_tables, can_subset=True)
    def tables(
        context: AssetExecutionContext, config: ReadingConfig, installation: ResourceParam[Installation]
    ) -> Iterator[MaterializeResult[None] | AssetCheckResult]:
        """Process queued documents, and those that arrive meanwhile."""
        checks = TableChecks(installation, context.instance, bounds, names)
        selected = context.selected_asset_check_keys
        views = parsers_with_ids(installation, [parser.id for parser in parsers])
        if not context.selected_asset_keys:
            yield from checks.results(context.run.run_id, views, selected)
            return
        named = [(parser.id, (parser.slug, parser.id, parser.name)) for parser in parsers]
        only = None if config.parsers is None else chosen(config.parsers, named, "parser")
        with exclusive_run(installation) as alone:
            run_reports = (
                process_queue(
                    installation,
                    RunOptions(
                        max_seconds=config.max_seconds,
                        max_documents=config.max_documents,
                        only=only,
                        run_id=context.run.run_id,
                    ),
                )
                if alone
                else []
            )
        if not alone:
            context.log.info("Another run of this machine processes documents, those of all parsers.")
            wait_for_other_run(installation)
        reports = {report.slug: report for report in run_reports}
        # The private file: an analyst may have locked the published copy.
        counts = installation.warehouse.counts(published=False)
        for spec, slug, table in tables_of_specs:
            if spec.key in context.selected_asset_keys:
                metadata = _metadata(spec, table, reports.get(slug), counts.get(slug, {}))
                yield MaterializeResult(asset_key=spec.key, metadata=metadata)
        for parser in parsers:
            if parser.slug in reports:
                for event in exports_after_run(
                    installation, exports, parser, bounds.get(parser.slug, ()), context.log
                ):
                    context.log_event(event)
        yield from checks.results(context.run.run_id, views, selected)

    return tables


def _metadata(
    spec: AssetSpec, table: str, report: RunReport | None, counts: Mapping[str, int]
) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        "dagster/row_count": counts.get(table, 0),
        COLUMN_SCHEMA: spec.metadata[COLUMN_SCHEMA],
    }
    if table != DOCUMENTS:
        metadata[COLUMN_LINEAGE] = spec.metadata[COLUMN_LINEAGE]
    if report is None:
        return metadata
    if table != DOCUMENTS:
        return metadata | {"rows": report.rows.get(table, 0)}
    numbers = ("documents", "processed", "failed", "in_review", "skipped", "pages")
    return metadata | {name: getattr(report, name) for name in numbers} | preview(report.preview)
