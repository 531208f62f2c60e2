"""The asset that processes documents: all parsers' tables in one definition."""

from collections.abc import Iterator, Sequence

from dagster import (
    AssetCheckResult,
    AssetExecutionContext,
    AssetsDefinition,
    BackfillPolicy,
    MaterializeResult,
    ResourceParam,
    multi_asset,
)

from dagster_docduck.assets.processing_run import ProcessingRun, RunConfig
from dagster_docduck.assets.project import Project
from dagster_docduck.assets.table_checks import TableChecks
from dagster_docduck.assets.table_specs import TableAsset, checks_of
from docduck.ids import snake_case
from docduck.service.core.installation import Installation
from docduck.service.documents.reprocessing import reprocess_parser
from docduck.service.parsers.parsers import parsers_with_ids
from docduck.service.processing.run_lock import wait_for_other_run


def parser_tables(project: Project, assets: Sequence[TableAsset]) -> list[AssetsDefinition]:
    """Return one definition for all tables, and one for each parser whose tables have partitions.

    Any table may be materialised by itself.
    """
    plain = [asset for asset in assets if not asset.is_partitioned]
    partitioned: dict[str, list[TableAsset]] = {}
    for asset in assets:
        if asset.is_partitioned:
            partitioned.setdefault(asset.parser.slug, []).append(asset)
    return [
        *([_tables("parser_tables", project, plain)] if plain else []),
        *(_tables(f"{snake_case(slug)}_by_day", project, tables) for slug, tables in partitioned.items()),
    ]


def _tables(name: str, project: Project, assets: Sequence[TableAsset]) -> AssetsDefinition:
    parsers = list({asset.parser.slug: asset.parser for asset in assets}.values())

    @multi_asset(
        name=name,
        specs=[asset.spec for asset in assets],
        check_specs=checks_of(project, assets),
        can_subset=True,
        backfill_policy=BackfillPolicy.single_run() if assets[0].is_partitioned else None,
    )
    def tables(
        context: AssetExecutionContext, config: RunConfig, installation: ResourceParam[Installation]
    ) -> Iterator[MaterializeResult[None] | AssetCheckResult]:
        """Process queued documents, and those that arrive meanwhile; queue those of partitions again."""
        chosen = [asset for asset in assets if asset.key in context.selected_asset_keys]
        views = parsers_with_ids(installation, [parser.id for parser in parsers])
        results = TableChecks(installation, context.instance, project.bounds).results(
            context.run.run_id, views, context.selected_asset_check_keys
        )
        if not chosen:
            yield from results
            return
        is_of_days = context.has_partition_key or context.has_partition_key_range
        days = context.partition_keys if is_of_days else ()
        run = ProcessingRun(context, installation, project, config, context.selected_asset_keys, days)
        if is_of_days:
            window = context.partition_time_window
            for parser in parsers:
                again = reprocess_parser(
                    installation,
                    parser.team_id,
                    parser.id,
                    actor="backfill",
                    created=(window.start, window.end),
                )
                context.log.info(f"{again} documents of {parser.slug} are read again")
        with run.exclusive() as alone:
            if alone:
                run.process()
                yield from run.results(chosen)
                yield from results
                return
        # A check counts for tables only if it is evaluated after they are materialised.
        wait_for_other_run(installation)
        yield from results

    return tables
