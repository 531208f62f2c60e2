"""The asset that processes documents, in a project of one's own."""

from collections.abc import Iterator, Sequence

from dagster import (
    AssetCheckResult,
    AssetExecutionContext,
    AssetsDefinition,
    MaterializeResult,
    ResourceParam,
    multi_asset,
)

from dagster_docduck.assets.exports import exports_after_run
from dagster_docduck.assets.project import Project
from dagster_docduck.assets.reading_config import ReadingConfig, chosen
from dagster_docduck.assets.table_checks import TableChecks
from dagster_docduck.assets.table_metadata import table_metadata
from dagster_docduck.assets.table_specs import TableAsset, checks_of
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import parsers_with_ids
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.processing.run_lock import exclusive_run, wait_for_other_run
from docduck.service.processing.run_report import RunReport


def processing_asset(
    name: str, project: Project, tables: Sequence[TableAsset], io_manager: str
) -> AssetsDefinition:
    """Return one definition for the tables of a project, which ``io_manager`` loads.

    Materialising any of them processes all queued documents, and writes the exports with ``after: each run``.
    """
    parsers = project.parsers

    @multi_asset(
        name=name,
        specs=[table.spec.with_io_manager_key(io_manager) for table in tables],
        check_specs=checks_of(project, tables),
        can_subset=True,
    )
    def materialised(
        context: AssetExecutionContext, config: ReadingConfig, installation: ResourceParam[Installation]
    ) -> Iterator[MaterializeResult[None] | AssetCheckResult]:
        """Process queued documents, and those that arrive meanwhile."""
        views = parsers_with_ids(installation, [parser.id for parser in parsers])
        results = TableChecks(installation, context.instance, project.bounds, project.names).results(
            context.run.run_id, views, context.selected_asset_check_keys
        )
        if not context.selected_asset_keys:
            yield from results
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
        reports = {report.parser_id: report for report in run_reports}
        # The private file: an analyst may have locked the published copy.
        counts = installation.warehouse.counts(published=False)
        for table in tables:
            if table.key in context.selected_asset_keys:
                report = reports.get(table.parser.id) or RunReport(table.parser.id, table.parser.slug)
                metadata = table_metadata(installation, table, report, counts)
                yield MaterializeResult(asset_key=table.key, metadata=metadata)
        for parser in parsers:
            if parser.id in reports:
                bounds = project.bounds.get(parser.slug, ())
                for event in exports_after_run(installation, project.exports, parser, bounds, context.log):
                    context.log_event(event)
        yield from results

    return materialised
