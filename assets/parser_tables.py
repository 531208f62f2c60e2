"""The asset that reads documents: every parser's tables, filled by draining the parsers' queues.

Dagster reads the annotations of decorated functions when it decorates them, so they can't be postponed.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from dagster import (
    AssetCheckResult,
    AssetExecutionContext,
    AssetMaterialization,
    AssetsDefinition,
    MaterializeResult,
    ResourceParam,
    multi_asset,
)

from assets import table_metadata
from assets.exports import export_after_run
from assets.project import Project, feeds
from assets.run_tags import OperationTags
from assets.source_keys import source_key
from assets.source_metadata import intake_metadata
from assets.table_checks import check_results
from assets.table_specs import TableAsset, check_specs
from assets.watch import Watch
from docduck.service.drain_report import DrainReport
from docduck.service.installation import Installation
from docduck.service.processing import drain

PROGRESS_SECONDS = 10.0


def parser_tables(project: Project, assets: Sequence[TableAsset]) -> list[AssetsDefinition]:
    """One asset definition for all tables, any subset of which may be materialised; none without tables."""
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
        """Read what is queued for the parsers, and what comes meanwhile."""
        chosen = [by_key[key] for key in by_key if key in context.selected_asset_keys]
        wanted = {asset.parser.id: asset.parser for asset in chosen}
        if chosen:
            feeding = [s for s in project.sources if any(feeds(s, p) for p in wanted.values())]
            say = table_metadata.Progress(context.log.info, PROGRESS_SECONDS)
            with Watch(installation, feeding, context.log) as watch:
                tags = OperationTags(
                    context.instance, context.run.run_id, installation.settings.max_operation_tags
                )
                done = drain(
                    installation,
                    list(wanted),
                    on_progress=say,
                    expecting=watch.expecting,
                    run_id=context.run.run_id,
                    on_claimed=tags,
                )
                tags.write()
            reports = {one.parser_id: one for one in done}
            for source, taken in watch.taken():
                context.log_event(
                    AssetMaterialization(asset_key=source_key(source), metadata=intake_metadata(taken))
                )
            # The private file: the published copy may be in the hands of an analyst.
            counts = installation.warehouse.counts(published=False)
            for parser_id, group in groupby(chosen, key=lambda asset: asset.parser.id):
                report = reports.get(parser_id) or DrainReport(parser_id, wanted[parser_id].slug)
                exported = export_after_run(
                    installation, project.exports, wanted[parser_id], report, context.log
                )
                for asset in group:
                    yield MaterializeResult(
                        asset_key=asset.key,
                        metadata=table_metadata.table_metadata(installation, asset, report, counts, exported),
                    )
        yield from check_results(installation, parsers, context.selected_asset_check_keys)

    return [tables]
