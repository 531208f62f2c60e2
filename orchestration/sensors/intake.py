"""A sensor for each source: asks for a run when something new lies there.

Dagster reads the annotations of decorated functions when it decorates them, so they can't be postponed.
"""

import time
from collections.abc import Collection

from dagster import (
    AssetKey,
    DagsterInstance,
    DagsterRun,
    DefaultSensorStatus,
    ResourceParam,
    RunRequest,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)

from assets.project import feeds
from assets.source_keys import source_key, source_name
from assets.table_specs import TableAsset, documents_key
from docduck.service.installation import Installation
from docduck.service.intake import Look, look
from docduck.service.sources import FolderSource
from orchestration.live_runs import UPLOAD, live_runs, pauses

LONGEST_SETTLE_SECONDS = 2.0


def intake_sensor(
    source: FolderSource, tables: Collection[TableAsset], minimum_interval_seconds: int
) -> SensorDefinition:
    """The sensor of ``source``."""

    @sensor(
        name=f"{source_name(source)}_sensor",
        job_name=UPLOAD,
        minimum_interval_seconds=minimum_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        description=f"Looks for new files in {source.path}.",
    )
    def look_for_files(
        context: SensorEvaluationContext, installation: ResourceParam[Installation]
    ) -> SensorResult | SkipReason:
        if run := _taking_in(context.instance, source, tables):
            return SkipReason(f"Run {run.run_id[:8]} takes in what lies in {source.path}.")
        seen = _look(installation, source, context.cursor)
        context.update_cursor(seen.signature)
        if not seen.new:
            return SkipReason(seen.message)
        return _answer(context.instance, source, seen, tables)

    return look_for_files


def _taking_in(
    instance: DagsterInstance, source: FolderSource, tables: Collection[TableAsset]
) -> DagsterRun | None:
    """The live run that looks into the source itself, for all its parsers: then no tick need do so."""
    fed = [table.parser for table in tables if feeds(source, table.parser)]
    if not fed:
        return None
    live = live_runs(instance)
    runs = [live.covering(documents_key(parser.slug)) for parser in fed]
    return runs[0] if all(runs) else None


def _look(inst: Installation, source: FolderSource, last: str | None) -> Look:
    """Look; and if only files that are not yet settled lie there, wait for them once, and look again."""
    seen = look(inst, source, last)
    settle = inst.settings.settle_seconds
    if seen.waiting and not seen.new and settle <= LONGEST_SETTLE_SECONDS:
        time.sleep(settle)
        seen = look(inst, source)
    return seen


def _answer(
    instance: DagsterInstance, source: FolderSource, seen: Look, tables: Collection[TableAsset]
) -> SensorResult | SkipReason:
    """A run of the parsers concerned: it takes in by itself, while it reads what it has taken in."""
    live = live_runs(instance)
    known = {table.parser.slug for table in tables}
    wanted = [slug for slug in seen.parser_slugs if slug in known]
    idle = [slug for slug in wanted if live.covering(documents_key(slug)) is None]
    selection: list[AssetKey] = [table.key for table in tables if table.parser.slug in idle]
    if not wanted:
        selection = [source_key(source)]
        if run := live.covering(source_key(source)):
            return SkipReason(f"{seen.message} Run {run.run_id[:8]} takes them in.")
    elif not selection:
        return SkipReason(f"{seen.message} Live runs of {', '.join(wanted)} take them in.")
    waits = pauses(instance, selection)
    if waits:
        seconds = max(waits.values())
        return SkipReason(f"{seen.message} The last runs failed; trying again in {seconds:.0f} s.")
    return SensorResult(run_requests=[RunRequest(asset_selection=selection)])
