"""The sensors of sources: each requests a run when its source holds new files."""

import time
from collections.abc import Collection

from dagster import (
    DefaultSensorStatus,
    ResourceParam,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)

from assets.table_specs import TableAsset
from dagster_docduck.sources import source_name
from docduck.service.core.installation import Installation
from docduck.service.sources.intake import inspect_source
from docduck.service.sources.report import SourceState
from docduck.service.sources.sources import Source
from orchestration.runs import ProcessingJobs, live_run, retry_seconds, run_request

MAX_WAIT_SECONDS = 2.0
"""A tick waits for unsettled files only if ``settle_seconds`` is at most this."""


def intake_sensor(
    source: Source, tables: Collection[TableAsset], jobs: ProcessingJobs, minimum_interval_seconds: int
) -> SensorDefinition:
    """Return the sensor of ``source``."""

    @sensor(
        name=f"{source_name(source)}_sensor",
        jobs=jobs,
        minimum_interval_seconds=minimum_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        description=f"Looks for new documents in {source.place}.",
    )
    def look_for_files(
        context: SensorEvaluationContext, installation: ResourceParam[Installation]
    ) -> SensorResult | SkipReason:
        if run := live_run(context.instance):
            return SkipReason(f"Run {run.id[:8]} ingests from {source.place}.")
        state = _inspect(installation, source, context.cursor)
        context.update_cursor(state.signature)
        if not state.new:
            return SkipReason(state.message)
        if run := live_run(context.instance):
            return SkipReason(f"{state.message} Run {run.id[:8]} ingests them.")
        if seconds := retry_seconds(context.instance):
            return SkipReason(f"{state.message} The last runs failed; trying again in {seconds:.0f} s.")
        return SensorResult(run_requests=[run_request(tables, state.labels)])

    return look_for_files


def _inspect(inst: Installation, source: Source, last: str | None) -> SourceState:
    """Inspect the source; if all its new files are unsettled, wait for them once."""
    state = inspect_source(inst, source, last)
    settle = inst.settings.settle_seconds
    if state.waiting and not state.new and settle <= MAX_WAIT_SECONDS:
        time.sleep(settle)
        state = inspect_source(inst, source)
    return state
