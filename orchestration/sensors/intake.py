"""The sensors of docduck's own sources; ``dagster_docduck.source_sensors`` says what a tick does."""

from __future__ import annotations

from collections.abc import Sequence

from dagster import AssetKey, AssetSelection, JobDefinition, SensorDefinition, define_asset_job

from dagster_docduck.assets.sources import source_key, source_name
from dagster_docduck.orchestration.runs import UPLOAD_RUNS
from dagster_docduck.private_dagster import UNLISTED_JOB
from dagster_docduck.source_sensors import source_sensor
from docduck.service.sources.sources import FolderSource, Source
from docduck.settings import Settings


def intake_sensor(
    source: Source,
    settings: Settings,
    minimum_interval_seconds: int,
    upload: JobDefinition,
    tables: Sequence[AssetKey],
) -> SensorDefinition:
    """Return the sensor of ``source``, which Dagster lists on its asset and on ``tables``."""
    name = f"{source_name(source)}_sensor"
    assets = AssetSelection.assets(source_key(source), *tables)
    return source_sensor(
        name,
        source,
        source_key(source),
        UPLOAD_RUNS,
        minimum_interval_seconds,
        is_backstop=isinstance(source, FolderSource) and settings.dagster_url is not None,
        jobs=[upload, define_asset_job(f"{UNLISTED_JOB}_{name}", assets)],
    )
