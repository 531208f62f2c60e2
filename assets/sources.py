"""The folders that documents come from, an asset each."""

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dagster import (
    AssetExecutionContext,
    AssetKey,
    AssetsDefinition,
    FreshnessPolicy,
    MaterializeResult,
    MetadataValue,
    ResourceParam,
    asset,
)

from dagster_docduck.assets.markdown import bullets
from dagster_docduck.assets.names import OWN_NAMES, Names
from dagster_docduck.assets.preview import table
from docduck.ids import snake_case
from docduck.service.core.installation import Installation
from docduck.service.pipeline.pipeline_spec import Pipeline
from docduck.service.runs.processing_runs import SOURCES
from docduck.service.sources.intake import ingest
from docduck.service.sources.remote_sources import RemoteSource
from docduck.service.sources.report import IntakeReport
from docduck.service.sources.sources import Source

MOST_LOGGED = 50
"""Messages of an ingestion that become events; its metadata says how many there are."""


def source_name(source: Source) -> str:
    """Return the source's name in asset keys and sensor names: letters, digits and underscores."""
    return snake_case(source.name, "source")


def source_key(source: Source) -> AssetKey:
    """Return the key of the source's asset."""
    return AssetKey([SOURCES, source_name(source)])


def source_assets(
    sources: Sequence[Source], expected: Mapping[str, dt.timedelta], names: Names = OWN_NAMES
) -> list[AssetsDefinition]:
    """Return an asset for each source; materialising it ingests its new files.

    ``expected`` are the times within which there should be new documents, by the name of the source.
    """
    return [
        _source_asset(source, names.of(source_key(source)), expected.get(source.name)) for source in sources
    ]


def expected_every(pipeline: Pipeline) -> dict[str, dt.timedelta]:
    """Return the time within which there should be new documents, by name of the source."""
    return {
        source.name: source.expect_every for source in pipeline.sources if source.expect_every is not None
    }


def intake_metadata(report: IntakeReport) -> dict[str, Any]:
    """Return the metadata of an ingestion, for Dagster's UI."""
    numbers = ("registered", "duplicates", "waiting", "refused", "unreadable", "vanished")
    metadata: dict[str, Any] = {name: MetadataValue.int(getattr(report, name)) for name in numbers}
    if report.by_parser:
        rows = [{"parser": slug, "documents": count} for slug, count in report.by_parser.items()]
        metadata["by_parser"] = table(rows)
    if report.messages:
        metadata["messages"] = MetadataValue.md(bullets(report.messages))
    return metadata


def _source_asset(source: Source, key: AssetKey, within: dt.timedelta | None) -> AssetsDefinition:
    @asset(
        key=key,
        group_name=SOURCES,
        kinds={source.kind},
        description=_description(source),
        metadata={"place": source.place, "dagster/uri": _uri(source.place)},
        freshness_policy=None if within is None else FreshnessPolicy.time_window(within),
    )
    def ingest_source(
        context: AssetExecutionContext, installation: ResourceParam[Installation]
    ) -> MaterializeResult[None]:
        report = ingest(installation, source)
        for message in report.messages[:MOST_LOGGED]:
            context.log.warning(message)
        return MaterializeResult(metadata=intake_metadata(report))

    return ingest_source


def _description(source: Source) -> str:
    if source.classifier is None and source.parser is None:
        return f"Documents dropped into {source.place}/<parser>/."
    target = f"the parser {source.parser}" if source.parser else f"the classifier {source.classifier}"
    if isinstance(source, RemoteSource):
        return f"Documents from {source.place}, for {target}."
    files = f"Files matching {source.pattern}" if source.pattern else "Files"
    return f"{files} dropped into {source.place}, for {target}."


def _uri(place: str) -> str:
    return place if "://" in place else Path(place).absolute().as_uri()
