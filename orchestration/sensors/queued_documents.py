"""Asks for a run when documents are queued and no live run reads them.

Dagster reads the annotations of decorated functions when it decorates them, so they can't be postponed.
"""

from collections.abc import Collection

from dagster import (
    DefaultSensorStatus,
    RunRequest,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)

from assets.table_specs import TableAsset, documents_key
from docduck.service.queue import Waiting, waiting
from orchestration.live_runs import UPLOAD, fail_lost_runs, live_runs, pauses
from resources import DocduckResource


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
        context: SensorEvaluationContext, docduck: DocduckResource
    ) -> SensorResult | SkipReason:
        for run_id in fail_lost_runs(context.instance):
            context.log.warning(f"Run {run_id} was lost with its process and is marked as failed")
        work = waiting(docduck.installation)
        if not work:
            return SkipReason("No documents are queued.")
        live = live_runs(context.instance)
        said: list[str] = []
        wanted: list[str] = []
        for parser_id, amount in work.items():
            slug = slugs.get(parser_id)
            if slug is None:
                said.append(f"{_words(amount)} for a parser that has no tables here (yet)")
            elif run := live.covering(documents_key(slug)):
                said.append(f"{slug}: {_words(amount)}, in the hands of run {run.run_id[:8]}")
            elif waits := pauses(context.instance, [documents_key(slug)]):
                seconds = max(waits.values())
                said.append(
                    f"{slug}: {_words(amount)}; its last runs failed, trying again in {seconds:.0f} s"
                )
            else:
                wanted.append(slug)
        if not wanted:
            return SkipReason("; ".join(said) + ".")
        selection = [table.key for table in tables if table.parser.slug in wanted]
        return SensorResult(run_requests=[RunRequest(asset_selection=selection)])

    return queued_documents


def _words(amount: Waiting) -> str:
    parts = [
        f"{amount.queued} queued" if amount.queued else "",
        f"{amount.expired} left by a lost run" if amount.expired else "",
        f"{amount.unprojected} not yet in the warehouse" if amount.unprojected else "",
    ]
    return ", ".join(part for part in parts if part)
