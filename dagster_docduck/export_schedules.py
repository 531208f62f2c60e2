"""The schedules of exports in the pipeline file."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from dagster import (
    AssetKey,
    AssetSelection,
    DefaultScheduleStatus,
    ScheduleDefinition,
    define_asset_job,
)

from dagster_docduck.exports import export_key
from dagster_docduck.names import OWN_NAMES, Names
from dagster_docduck.retries import RETRY_TAGS
from docduck.ids import snake_case
from docduck.service.pipeline.export_specs import ExportSpec


def export_schedules(
    exports: Iterable[ExportSpec], keys: Collection[AssetKey], names: Names = OWN_NAMES
) -> list[ScheduleDefinition]:
    """Return a schedule for each export that has a cron line and an asset, whose key is in ``keys``."""
    found = ((one, one.schedule, names.of(export_key(one))) for one in exports)
    return [_schedule(one, cron, key) for one, cron, key in found if cron and key in keys]


def _schedule(spec: ExportSpec, cron: str, key: AssetKey) -> ScheduleDefinition:
    name = f"export_{snake_case(spec.name)}"
    return ScheduleDefinition(
        name=name,
        job=define_asset_job(name, AssetSelection.assets(key), tags=RETRY_TAGS),
        cron_schedule=cron,
        default_status=DefaultScheduleStatus.RUNNING,
        description=f"Export '{spec.name}' of the pipeline file.",
    )
