"""The sensor that requests the job ``deliver_webhooks`` where no API sends deliveries."""

import datetime as dt

from dagster import (
    DagsterRunStatus,
    DefaultSensorStatus,
    ResourceParam,
    RunRequest,
    RunsFilter,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)

from docduck import clock
from docduck.service.core.installation import Installation
from docduck.service.runs.processing_runs import LIVE_STATUSES
from docduck.service.webhooks.delivery_queue import is_neglected
from orchestration.jobs.deliver_webhooks import deliver_webhooks

HEAD_START_SECONDS = 5.0
"""The time that the sensor leaves to the API, which sends deliveries within a second."""
RETRY_SECONDS = 60
"""The time between a run that failed and the next."""

_LIVE = [DagsterRunStatus(status) for status in LIVE_STATUSES]


def due_deliveries_sensor(minimum_interval_seconds: int) -> SensorDefinition:
    """Return the sensor for deliveries that nobody sends."""

    @sensor(
        name="due_deliveries",
        job_name=deliver_webhooks.name,
        minimum_interval_seconds=minimum_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        description="Sends events to webhooks if the API doesn't.",
    )
    def due_deliveries(
        context: SensorEvaluationContext, installation: ResourceParam[Installation]
    ) -> SensorResult | SkipReason:
        if not is_neglected(installation, HEAD_START_SECONDS):
            return SkipReason("No delivery to a webhook waits.")
        live = RunsFilter(job_name=deliver_webhooks.name, statuses=_LIVE)
        if context.instance.get_runs(live, limit=1):
            return SkipReason("A run sends the deliveries that are due.")
        since = clock.now() - dt.timedelta(seconds=RETRY_SECONDS)
        failed = RunsFilter(
            job_name=deliver_webhooks.name, statuses=[DagsterRunStatus.FAILURE], updated_after=since
        )
        if context.instance.get_runs(failed, limit=1):
            return SkipReason(f"The last run failed less than {RETRY_SECONDS} s ago.")
        return SensorResult(run_requests=[RunRequest()])

    return due_deliveries
