"""The asset that processes documents: all parsers' tables in one definition."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from dagster import (
    AssetCheckKey,
    AssetCheckResult,
    AssetExecutionContext,
    AssetsDefinition,
    MaterializeResult,
    ResourceParam,
    multi_asset,
)

from assets.processing_run import ProcessingRun, RunConfig
from assets.project import Project
from assets.table_specs import TableAsset
from dagster_docduck.table_checks import TableChecks, check_specs
from docduck.service.core.installation import Installation
from docduck.service.processing.run_lock import wait_for_other_run

BLOCKED_TAG = "docduck/blocked_by"
"""The tag of a run with the blocking checks that failed."""


def parser_tables(project: Project, assets: Sequence[TableAsset]) -> list[AssetsDefinition]:
    """Return one definition for all tables, any of which may be materialised; none if there are no tables."""
    if not assets:
        return []
    by_key = {asset.key: asset for asset in assets}
    specs = [spec for one in assets for spec in check_specs(one.key, project.bounds.get(one.parser.slug, ()))]
    blocking = {spec.key for spec in specs if spec.blocking}
    parsers = list({asset.parser.slug: asset.parser for asset in assets}.values())

    @multi_asset(
        name="parser_tables",
        specs=[asset.spec for asset in assets],
        check_specs=specs,
        can_subset=True,
    )
    def tables(
        context: AssetExecutionContext, config: RunConfig, installation: ResourceParam[Installation]
    ) -> Iterator[MaterializeResult[None] | AssetCheckResult]:
        """Process queued documents, and those that arrive meanwhile."""
        chosen = [by_key[key] for key in by_key if key in context.selected_asset_keys]
        checks = TableChecks(installation, context.instance, project.bounds)
        selected = context.selected_asset_check_keys
        if not chosen:
            yield from _tagged(context, checks.results(parsers, selected), blocking)
            return
        run = ProcessingRun(context, installation, project, config, context.selected_asset_keys)
        with run.exclusive() as alone:
            if alone:
                run.process()
                for asset, metadata in run.metadata(chosen):
                    yield MaterializeResult(asset_key=asset.key, metadata=metadata)
                run.export()
                yield from _tagged(context, checks.results(parsers, selected), blocking)
                return
        # A check counts for tables only if it is evaluated after they are materialised.
        wait_for_other_run(installation)
        yield from _tagged(context, checks.results(parsers, selected), blocking)

    return [tables]


def _tagged(
    context: AssetExecutionContext, results: Iterable[AssetCheckResult], blocking: Collection[AssetCheckKey]
) -> Iterator[AssetCheckResult]:
    """Yield results; tag the run with the blocking checks that fail, for which Dagster marks it as failed."""
    failing = []
    for one in results:
        if not one.passed and one.asset_key and one.check_name:
            key = AssetCheckKey(one.asset_key, one.check_name)
            failing += [key.to_user_string()] if key in blocking else []
        yield one
    if failing:
        context.instance.add_run_tags(context.run.run_id, {BLOCKED_TAG: " ".join(failing)})
