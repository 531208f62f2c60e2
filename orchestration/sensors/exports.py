"""The sensor that writes exports after their tables have changed."""

from __future__ import annotations

from dagster import AssetSelection, AutomationConditionSensorDefinition, DefaultSensorStatus

from dagster_docduck.retries import RETRY_TAGS
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
