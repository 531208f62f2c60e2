"""Asks for a run when documents are queued and no live run reads them.

Dagster reads the annotations of decorated functions when it decorates them, so they can't be postponed.
"""

import datetime as dt
import time
from collections.abc import Collection, Mapping
from contextlib import suppress

from dagster import (
    DagsterInstance,
    DefaultSensorStatus,
    ResourceParam,
    RunRequest,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)

from assets.table_specs import TableAsset, documents_key
from docduck import clock
from docduck.errors import Transient
from docduck.service.installation import Installation
from docduck.service.projection import project, publish
from docduck.service.queue import Waiting, waiting
from docduck.service.starting_runs import HEAD_START_SECONDS
from orchestration.live_runs import UPLOAD, fail_lost_runs, live_runs, pauses
from resources.parsers import every_parser

_PATIENCE = dt.timedelta(seconds=10)
_HEAD_START = dt.timedelta(seconds=HEAD_START_SECONDS)


def queued_documents_sensor(
    tables: Collection[TableAsset], minimum_interval_seconds: int
) -> SensorDefinition:
    """The sensor for documents that came by API, by hand, or were left by a run that ended."""
    slugs = {table.parser.id: table.parser.slug for table in tables}

    @sensor(
        name="queued_documents",
        job_name=UPLOAD,
        minimum_interval_seconds=minimum_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        description="Starts a run for parsers that have documents to read and no live run.",
    )
    def queued_documents(
        context: SensorEvaluationContext, installation: ResourceParam[Installation]
    ) -> SensorResult | SkipReason:
        for run_id in fail_lost_runs(context.instance):
            context.log.warning(f"Run {run_id} was lost with its process and is marked as failed")
        wanted, words = _look(context.instance, installation, slugs)
        if wanted and (pause := _head_start(installation, wanted)):
            time.sleep(pause)
            wanted, words = _look(context.instance, installation, slugs)
        if not wanted:
            return SkipReason(words)
        selection = [table.key for table in tables if table.parser.slug in wanted]
        return SensorResult(run_requests=[RunRequest(asset_selection=selection)])

    return queued_documents


def _look(
    instance: DagsterInstance, inst: Installation, slugs: Mapping[str, str]
) -> tuple[dict[str, Waiting], str]:
    """The work of parsers that need a run, by slug, and in words why the others need none."""
    work = _without_deleted(inst, waiting(inst))
    if not work:
        return {}, "No documents are queued."
    live = live_runs(instance)
    said: list[str] = []
    wanted: dict[str, Waiting] = {}
    for parser_id, amount in work.items():
        slug = slugs.get(parser_id)
        if slug is None:
            said.append(f"{_words(amount)} for a parser that has no tables here (yet)")
        elif run := live.covering(documents_key(slug)):
            said.append(f"{slug}: {_words(amount)}, in the hands of run {run.run_id[:8]}")
        elif _will_be_handed_over(amount):
            said.append(f"{slug}: {_words(amount)}, which the next run takes along")
        elif waits := pauses(instance, [documents_key(slug)]):
            seconds = max(waits.values())
            said.append(f"{slug}: {_words(amount)}; its last runs failed, trying again in {seconds:.0f} s")
        else:
            wanted[slug] = amount
    return wanted, "; ".join(said) + "."


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


def _without_deleted(inst: Installation, work: Mapping[str, Waiting]) -> dict[str, Waiting]:
    """The work of parsers that exist. The tables of those that were deleted are dropped: no run would."""
    parsers = {parser.id for parser in every_parser(inst)} if work else set()
    deleted = [parser_id for parser_id in work if parser_id not in parsers]
    if deleted:
        with suppress(Transient):
            project(inst, deleted)
            publish(inst)
    return {parser_id: amount for parser_id, amount in work.items() if parser_id in parsers}


def _words(amount: Waiting) -> str:
    parts = [
        f"{amount.queued} queued" if amount.queued else "",
        f"{amount.expired} left by a lost run" if amount.expired else "",
        f"{amount.unprojected} not yet in the warehouse" if amount.unprojected else "",
    ]
    return ", ".join(part for part in parts if part)
