"""The sensor of the queue: it requests a run for documents that wait, and for tables that have changed."""

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

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

from dagster_docduck.reading_runs import ReadingRuns
from docduck import clock
from docduck.errors import Transient
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.waiting import note_next_run
from docduck.service.outputs.table_versions import table_versions
from docduck.service.outputs.warehouse_sync import publish, sync_warehouse
from docduck.service.parsers.parsers import parsers_with_ids
from docduck.service.processing.document_queue import Backlog, backlogs
from docduck.service.processing.loaded_classifiers import live_classifiers
from docduck.service.runs.processing_runs import Run
from docduck.service.runs.run_starter import HEAD_START_SECONDS

_TABLES_DELAY = dt.timedelta(seconds=10)
_HEAD_START = dt.timedelta(seconds=HEAD_START_SECONDS)


def queue_sensor(
    name: str, runs: ReadingRuns, minimum_interval_seconds: int, **target: Any
) -> SensorDefinition:
    """Return the sensor for documents that no run has ingested itself, or that a run has left behind.

    It looks also for tables that were written without Dagster having been told: by another process, or by a
    run that was killed. Its cursor is what changes with any table, when all were told. ``target`` says what
    its runs are for, as Dagster's sensors do.
    """

    @sensor(
        name=name,
        minimum_interval_seconds=minimum_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        description="Starts a run when documents are queued, or tables have changed, and no run reads.",
        **target,
    )
    def queued_documents(
        context: SensorEvaluationContext, installation: ResourceParam[Installation]
    ) -> SensorResult | SkipReason:
        for run_id in runs.fail_lost(context.instance):
            context.log.warning(f"The process of run {run_id} is gone; the run is marked as failed")
        waiting = {
            target_id: amount for target_id, amount in backlogs(installation).items() if runs.takes(target_id)
        }
        work, problems = _usable_work(installation, waiting)
        live = runs.live(context.instance)
        versions = table_versions(installation)
        seen = _digest(versions)
        untold = (
            [] if live or seen == context.cursor else runs.untold(installation, context.instance, versions)
        )
        if not live and not untold:
            context.update_cursor(seen)
        if reason := _reason_to_skip(context.instance, installation, runs, live, work, untold):
            return SkipReason(" ".join([reason, *problems]))
        targets = {*work, *untold}
        return SensorResult(run_requests=[runs.request(context.instance, target_ids=targets)])

    return queued_documents


def _digest(versions: Mapping[str, dt.datetime]) -> str:
    return hashlib.sha256(repr(sorted(versions.items())).encode()).hexdigest()


def _reason_to_skip(
    instance: DagsterInstance,
    inst: Installation,
    runs: ReadingRuns,
    live: Run | None,
    work: Mapping[str, Backlog],
    untold: Sequence[str],
) -> str:
    """Return why no run is needed, or none may start; empty if one is to."""
    if not work and not untold:
        return "No documents are queued."
    summary = f"{_summary(list(work.values()), len(untold))}."
    if live:
        return f"{summary} Run {live.id[:8]} processes them."
    if not untold and all(map(_can_wait, work.values())):
        return f"{summary} The next run includes them."
    if seconds := runs.retry_seconds(instance):
        note_next_run(inst, seconds)
        return f"{summary} The last runs failed; trying again in {seconds:.0f} s."
    is_fresh = bool(work) and all(map(_is_fresh, work.values()))
    if inst.settings.dagster_url is not None and is_fresh:
        return f"{summary} The service is about to start a run."
    if not runs.may_request(inst, instance):
        return f"{summary} Another sensor has just requested a run."
    return ""


def _is_fresh(amount: Backlog) -> bool:
    """Return whether all of it was queued just now: the service starts a run for that itself."""
    if amount.oldest is None or amount.expired:
        return False
    return clock.now() - amount.oldest < _HEAD_START


def _can_wait(amount: Backlog) -> bool:
    """Return whether only tables are behind, and not for long: a run may be about to start anyway."""
    if amount.queued or amount.expired or amount.behind_since is None:
        return False
    return clock.now() - amount.behind_since < _TABLES_DELAY


def _usable_work(inst: Installation, work: Mapping[str, Backlog]) -> tuple[dict[str, Backlog], list[str]]:
    """Return the work of classifiers, and of parsers that can be used, and the problems of those that can't.

    Drop the tables of deleted parsers: no run would.
    """
    parsers = {parser.id: parser for parser in parsers_with_ids(inst, work)}
    classifiers = live_classifiers(inst, [target_id for target_id in work if target_id not in parsers])
    if deleted := [
        target_id for target_id in work if target_id not in parsers and target_id not in classifiers
    ]:
        with suppress(Transient):
            sync_warehouse(inst, deleted)
            publish(inst)
    broken = {target_id: parser.problem for target_id, parser in parsers.items() if parser.problem}
    gone = {*deleted, *broken}
    usable = {target_id: amount for target_id, amount in work.items() if target_id not in gone}
    return usable, [f"{problem}." for problem in broken.values()]


def _summary(work: Sequence[Backlog], untold: int) -> str:
    queued, slow = sum(backlog.queued for backlog in work), sum(backlog.slow for backlog in work)
    expired, behind = sum(backlog.expired for backlog in work), sum(backlog.unprojected for backlog in work)
    oldest = min((backlog.oldest for backlog in work if backlog.oldest), default=None)
    since = f", the oldest for {(clock.now() - oldest).total_seconds():.0f} s" if oldest else ""
    parsers = f"{len(work)} parser{'s' if len(work) > 1 else ''}"
    parts = [
        f"{queued} queued ({parsers}{f', {slow} slow' if slow else ''}{since})" if queued else "",
        f"{expired} left by a lost run" if expired else "",
        f"{behind} not yet in the warehouse" if behind else "",
        f"tables of {untold} parser{'s' if untold > 1 else ''} changed unreported" if untold else "",
    ]
    return ", ".join(part for part in parts if part)
