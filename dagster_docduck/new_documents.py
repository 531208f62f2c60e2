"""The job and the sensor that process new documents, in a project of one's own."""

from collections.abc import Collection, Sequence

from dagster import (
    AssetSelection,
    DagsterRunStatus,
    DefaultSensorStatus,
    ResourceParam,
    RunRequest,
    RunsFilter,
    SensorDefinition,
    SensorEvaluationContext,
    SkipReason,
    define_asset_job,
    sensor,
)

from dagster_docduck.retries import NO_RETRY_TAGS
from docduck.service.core.installation import Installation
from docduck.service.processing.document_queue import backlogs
from docduck.service.runs.processing_runs import LIVE_STATUSES
from docduck.service.sources.intake import inspect_source
from docduck.service.sources.sources import Source

JOB = "docduck_documents"


def new_documents_sensor(
    sources: Sequence[Source], parser_ids: Collection[str], assets: AssetSelection
) -> SensorDefinition:
    """Return a sensor that materialises ``assets`` when a source holds new files or documents are queued."""
    live = [DagsterRunStatus(status) for status in LIVE_STATUSES]

    @sensor(
        name="docduck_new_documents",
        job=define_asset_job(JOB, assets, tags=NO_RETRY_TAGS),
        minimum_interval_seconds=10,
        default_status=DefaultSensorStatus.RUNNING,
        description="Starts a run when there are new documents and no run processes any.",
    )
    def new_documents(
        context: SensorEvaluationContext, installation: ResourceParam[Installation]
    ) -> RunRequest | SkipReason:
        if runs := context.instance.get_runs(RunsFilter(job_name=JOB, statuses=live), limit=1):
            return SkipReason(f"Run {runs[0].run_id[:8]} processes documents.")
        states = [inspect_source(installation, source) for source in sources]
        work = backlogs(installation)
        queued = sum(work[one].queued + work[one].expired for one in parser_ids if one in work)
        if queued or any(state.new for state in states):
            return RunRequest()
        return SkipReason(" ".join(state.message for state in states))

    return new_documents
