"""The asset that reads documents: every parser's tables, filled by draining the parsers' queues.

Dagster reads the annotations of decorated functions when it decorates them, so they can't be postponed.
"""

from collections.abc import Iterator, Sequence

from dagster import (
    AssetCheckResult,
    AssetExecutionContext,
    AssetsDefinition,
    MaterializeResult,
    ResourceParam,
    multi_asset,
)

from assets.project import Project
from assets.reading import ReadingRun
from assets.table_checks import check_results
from assets.table_specs import TableAsset, check_specs
from docduck.service.core.installation import Installation


def parser_tables(project: Project, assets: Sequence[TableAsset]) -> list[AssetsDefinition]:
    """Return one asset definition for all tables, any of which may be materialised; none without tables."""
    if not assets:
        return []
    by_key = {asset.key: asset for asset in assets}
    parsers = list({asset.parser.slug: asset.parser for asset in assets}.values())

    @multi_asset(
        name="parser_tables",
        specs=[asset.spec for asset in assets],
        check_specs=check_specs(parsers),
        can_subset=True,
    )
    def tables(
        context: AssetExecutionContext, installation: ResourceParam[Installation]
    ) -> Iterator[MaterializeResult[None] | AssetCheckResult]:
        """Read what is queued, and what comes meanwhile."""
        chosen = [by_key[key] for key in by_key if key in context.selected_asset_keys]
        if chosen:
            run = ReadingRun(context, installation, project, context.selected_asset_keys)
            if run.read():
                for asset, metadata in run.metadata(chosen):
                    yield MaterializeResult(asset_key=asset.key, metadata=metadata)
        yield from check_results(installation, parsers, context.selected_asset_check_keys)

    return [tables]
