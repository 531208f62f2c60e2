"""What writes exports: a sensor after their tables have changed, a schedule at their cron lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from dagster import (
    AssetKey,
    AssetSelection,
    AutomationConditionSensorDefinition,
    DefaultScheduleStatus,
    DefaultSensorStatus,
    ScheduleDefinition,
    define_asset_job,
)

from dagster_docduck.exports import export_key
from dagster_docduck.retries import RETRY_TAGS
from docduck.ids import snake_case
from docduck.service.pipeline.pipeline_spec import ExportSpec
from docduck.service.runs.processing_runs import EXPORTS


def exports_sensor(minimum_interval_seconds: int) -> AutomationConditionSensorDefinition:
    """Return the sensor; it evaluates the automation conditions of exports."""
    return AutomationConditionSensorDefinition(
        name="exports_after_each_run",
        target=AssetSelection.groups(EXPORTS),
        minimum_interval_seconds=minimum_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        run_tags=RETRY_TAGS,
        description="Writes the exports with `after: each run` when their tables have new rows.",
    )


def export_schedules(exports: Iterable[ExportSpec], keys: Collection[AssetKey]) -> list[ScheduleDefinition]:
    """Return a schedule for each export that has a cron line and an asset, whose key is in ``keys``."""
    return [_schedule(one, one.schedule) for one in exports if one.schedule and export_key(one) in keys]


def _schedule(spec: ExportSpec, cron: str) -> ScheduleDefinition:
    name = f"export_{snake_case(spec.name)}"
    return ScheduleDefinition(
        name=name,
        job=define_asset_job(name, AssetSelection.assets(export_key(spec)), tags=RETRY_TAGS),
        cron_schedule=cron,
        default_status=DefaultScheduleStatus.RUNNING,
        description=f"Export '{spec.name}' of the pipeline file.",
    )
