"""The folders that documents come from, an asset each.

Dagster reads the annotations of decorated functions when it decorates them, so they can't be postponed.
"""

from collections.abc import Sequence

from dagster import AssetExecutionContext, AssetsDefinition, MaterializeResult, ResourceParam, asset

from assets.source_keys import source_key
from assets.source_metadata import intake_metadata
from docduck.service.core.installation import Installation
from docduck.service.sources.intake import ingest
from docduck.service.sources.sources import FolderSource


def source_assets(sources: Sequence[FolderSource]) -> list[AssetsDefinition]:
    """An asset for each source; materialising it takes in everything new."""
    return [_source_asset(source) for source in sources]


def _source_asset(source: FolderSource) -> AssetsDefinition:
    @asset(
        key=source_key(source),
        group_name="sources",
        kinds={"folder"},
        description=_description(source),
        metadata={"path": str(source.path.absolute())},
    )
    def take(
        context: AssetExecutionContext, installation: ResourceParam[Installation]
    ) -> MaterializeResult[None]:
        report = ingest(installation, source)
        for message in report.messages:
            context.log.warning(message)
        return MaterializeResult(metadata=intake_metadata(report))

    return take


def _description(source: FolderSource) -> str:
    if source.parser is None:
        return f"Documents dropped into {source.path}/<parser>/."
    what = f"Files matching {source.pattern}" if source.pattern else "Files"
    return f"{what} dropped into {source.path}, for the parser {source.parser}."
