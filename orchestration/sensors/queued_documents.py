"""Asks for a run when documents are queued and no live run reads them.

Dagster reads the annotations of decorated functions when it decorates them, so they can't be postponed.
"""

import datetime as dt
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

from dagster import (
    DagsterInstance,
    DefaultSensorStatus,
    ResourceParam,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)

from assets.table_specs import TableAsset
from docduck import clock
from docduck.errors import Transient
from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import project, publish
from docduck.service.parsers.parsers import parsers_with_ids
from docduck.service.processing.queue import Waiting, waiting
from docduck.service.runs.run_starter import HEAD_START_SECONDS
from orchestration.live_runs import fail_lost_runs, live_run, pause
from orchestration.run_requests import ReadingJobs, reading_run

_PATIENCE = dt.timedelta(seconds=10)
_HEAD_START = dt.timedelta(seconds=HEAD_START_SECONDS)


def queued_documents_sensor(
    tables: Collection[TableAsset], jobs: ReadingJobs, minimum_interval_seconds: int
) -> SensorDefinition:
    """The sensor for documents that came by API, by hand, or were left by a run that ended."""
    by_parser = {table.parser.id: table.parser.slug for table in tables}

    @sensor(
        name="queued_documents",
        jobs=jobs,
        minimum_interval_seconds=minimum_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        description="Starts a run when documents are queued and no run reads.",
    )
    def queued_documents(
        context: SensorEvaluationContext, installation: ResourceParam[Installation]
    ) -> SensorResult | SkipReason:
        for run_id in fail_lost_runs(context.instance):
            context.log.warning(f"Run {run_id} was lost with its process and is marked as failed")
        wanted, words = _look(context.instance, installation)
        if wanted and (pause := _head_start(installation, wanted)):
            time.sleep(pause)
            wanted, words = _look(context.instance, installation)
        if not wanted:
            return SkipReason(words)
        slugs = {by_parser.get(parser_id) for parser_id in wanted}
        return SensorResult(run_requests=[reading_run(tables, slugs)])

    return queued_documents


def _look(instance: DagsterInstance, inst: Installation) -> tuple[dict[str, Waiting], str]:
    """Return the work of parsers that need a run, by id, or in words why none do."""
    work, said = _of_usable_parsers(inst, waiting(inst))
    if not work:
        return {}, " ".join(["No documents are queued.", *said])
    words = " ".join([f"{_words(list(work.values()))}.", *said])
    if run := live_run(instance):
        return {}, f"{words} Run {run.run_id[:8]} is at it."
    if all(map(_will_be_handed_over, work.values())):
        return {}, f"{words} The next run takes them along."
    if seconds := pause(instance):
        return {}, f"{words} The last runs failed; trying again in {seconds:.0f} s."
    return work, words


def _head_start(inst: Installation, wanted: Mapping[str, Waiting]) -> float:
    """Seconds to leave what was queued a moment ago to the API, which starts a run for it itself."""
    if inst.settings.dagster_url is None:
        return 0.0
    moment = clock.now()
    fresh = [amount.oldest for amount in wanted.values() if amount.oldest and not amount.expired]
    youngest = max(fresh, default=moment - _HEAD_START)
    return max(0.0, (youngest + _HEAD_START - moment).total_seconds())


def _will_be_handed_over(amount: Waiting) -> bool:
    """Whether only the tables are behind, and so shortly that a run for files may be about to start."""
    if amount.queued or amount.expired or amount.behind_since is None:
        return False
    return clock.now() - amount.behind_since < _PATIENCE


def _of_usable_parsers(
    inst: Installation, work: Mapping[str, Waiting]
) -> tuple[dict[str, Waiting], list[str]]:
    """Return the work of parsers that can be used, and in words why others wait.

    The tables of parsers that were deleted are dropped: no run would.
    """
    parsers = {parser.id: parser for parser in parsers_with_ids(inst, work)}
    if deleted := [parser_id for parser_id in work if parser_id not in parsers]:
        with suppress(Transient):
            project(inst, deleted)
            publish(inst)
    usable = {one: amount for one, amount in work.items() if one in parsers and not parsers[one].problem}
    return usable, [f"{parsers[one].problem}." for one in work if one in parsers and one not in usable]


def _words(work: Sequence[Waiting]) -> str:
    queued, slow = sum(one.queued for one in work), sum(one.slow for one in work)
    expired, behind = sum(one.expired for one in work), sum(one.unprojected for one in work)
    oldest = min((one.oldest for one in work if one.oldest), default=None)
    since = f", the oldest for {(clock.now() - oldest).total_seconds():.0f} s" if oldest else ""
    parsers = f"{len(work)} parser{'s' if len(work) > 1 else ''}"
    parts = [
        f"{queued} queued ({parsers}{f', {slow} slow' if slow else ''}{since})" if queued else "",
        f"{expired} left by a lost run" if expired else "",
        f"{behind} not yet in the warehouse" if behind else "",
    ]
    return ", ".join(part for part in parts if part)
