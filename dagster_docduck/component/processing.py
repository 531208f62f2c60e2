"""The asset that processes documents, in a project of one's own."""

from collections.abc import Callable, Iterator, Sequence
from logging import Logger
from typing import Any

from dagster import (
    AssetCheckResult,
    AssetExecutionContext,
    AssetMaterialization,
    AssetsDefinition,
    MaterializeResult,
    ResourceParam,
    multi_asset,
)

from dagster_docduck.assets.exports import exports_after_run
from dagster_docduck.assets.project import Project
from dagster_docduck.assets.reading_config import ReadingConfig, chosen
from dagster_docduck.assets.table_checks import TableChecks
from dagster_docduck.assets.table_events import table_events
from dagster_docduck.assets.table_metadata import Metadata, table_metadata
from dagster_docduck.assets.table_specs import TableAsset, checks_of
from dagster_docduck.assets.told_versions import UntoldTables, data_version, untold_tables
from docduck.service.core.installation import Installation
from docduck.service.outputs.table_versions import table_versions
from docduck.service.parsers.parsers import parsers_with_ids
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.processing.run_lock import exclusive_run, wait_for_other_run
from docduck.service.processing.run_report import RunReport


def processing_asset(
    name: str, project: Project, tables: Sequence[TableAsset], io_manager: str
) -> AssetsDefinition:
    """Return one definition for the tables of a project, which ``io_manager`` loads.

    Materialising any of them processes all queued documents, and writes the exports with ``after: each run``.
    Events of the run report the others that have changed.
    """
    parsers = project.parsers
    ids = {parser.id for parser in parsers}

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
        checks = TableChecks(installation, context.instance, project.bounds, project.names)
        results = checks.results(context.run.run_id, views, context.selected_asset_check_keys)
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
        # Read before the rows: what is written in between is told once more.
        versions = {id: at for id, at in table_versions(installation).items() if id in ids}
        changed = list(untold_tables(installation, context.instance, versions, project.names))
        # Written first: if this run is killed before it has told of the tables, the next one does it again.
        exported = [event for one in changed for event in exports(one, context.log, installation)]
        # The private file: an analyst may have locked the published copy.
        counts = installation.warehouse.counts(published=False)

        def metadata_of(table: TableAsset) -> Metadata:
            report = reports.get(table.parser.id) or RunReport(table.parser.id, table.parser.slug)
            return table_metadata(installation, table, report, counts)

        unselected = [table for table in tables if table.key not in context.selected_asset_keys]
        for table in tables:
            if table not in unselected:
                version = data_version(versions.get(table.parser.id))
                metadata = metadata_of(table)
                yield MaterializeResult(asset_key=table.key, metadata=metadata, data_version=version)
        log: Callable[[Any], None] = context.log_event
        for one in changed:
            shown = {table.key: metadata_of(table) for table in unselected if table.key in one.keys}
            for event in table_events(checks, one, shown):
                log(event)
        for event in exported:
            log(event)
        yield from results

    def exports(one: UntoldTables, log: Logger, inst: Installation) -> Iterator[AssetMaterialization]:
        bounds = project.bounds.get(one.tables.slug, ())
        return exports_after_run(inst, project.exports, one.tables, bounds, log)

    return materialised
