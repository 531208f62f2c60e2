"""A sensor for each source: asks for a run when something new lies there.

Dagster reads the annotations of decorated functions when it decorates them, so they can't be postponed.
"""

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

from assets.source_keys import source_name
from assets.table_specs import TableAsset
from docduck.service.core.installation import Installation
from docduck.service.sources.intake import SourceState, inspect_source
from docduck.service.sources.sources import FolderSource
from orchestration.live_runs import live_run, pause
from orchestration.run_requests import ReadingJobs, reading_run

LONGEST_SETTLE_SECONDS = 2.0


def intake_sensor(
    source: FolderSource, tables: Collection[TableAsset], jobs: ReadingJobs, minimum_interval_seconds: int
) -> SensorDefinition:
    """The sensor of ``source``."""

    @sensor(
        name=f"{source_name(source)}_sensor",
        jobs=jobs,
        minimum_interval_seconds=minimum_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        description=f"Looks for new files in {source.path}.",
    )
    def look_for_files(
        context: SensorEvaluationContext, installation: ResourceParam[Installation]
    ) -> SensorResult | SkipReason:
        if run := live_run(context.instance):
            return SkipReason(f"Run {run.run_id[:8]} takes in what lies in {source.path}.")
        seen = _look(installation, source, context.cursor)
        context.update_cursor(seen.signature)
        if not seen.new:
            return SkipReason(seen.message)
        if run := live_run(context.instance):
            return SkipReason(f"{seen.message} Run {run.run_id[:8]} takes them in.")
        if seconds := pause(context.instance):
            return SkipReason(f"{seen.message} The last runs failed; trying again in {seconds:.0f} s.")
        return SensorResult(run_requests=[reading_run(tables, seen.parser_slugs)])

    return look_for_files


def _look(inst: Installation, source: FolderSource, last: str | None) -> SourceState:
    """Look; and if only files that are not yet settled lie there, wait for them once, and look again."""
    seen = inspect_source(inst, source, last)
    settle = inst.settings.settle_seconds
    if seen.waiting and not seen.new and settle <= LONGEST_SETTLE_SECONDS:
        time.sleep(settle)
        seen = inspect_source(inst, source)
    return seen
