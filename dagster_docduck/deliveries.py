"""The job that sends deliveries to webhooks, where no API does, and the sensor that requests it."""

import datetime as dt

from dagster import (
    Config,
    DagsterRunStatus,
    DefaultSensorStatus,
    JobDefinition,
    OpExecutionContext,
    ResourceParam,
    RunRequest,
    RunsFilter,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    job,
    op,
    sensor,
)
from pydantic import Field

from dagster_docduck.reading_runs import LIVE
from docduck import clock
from docduck.service.core.installation import Installation
from docduck.service.processing.run_lock import HANDOVER_SECONDS
from docduck.service.webhooks.delivery_queue import is_neglected

HEAD_START_SECONDS = 5.0
"""The time that the sensor leaves to the API, which sends deliveries within a second."""
RETRY_SECONDS = 60
"""The time between a run that failed and the next."""


class DeliveryConfig(Config):
    """How long to send."""

    max_minutes: float | None = Field(None, gt=0, description="Most minutes; five if not given")


@op
def send_deliveries(
    context: OpExecutionContext, config: DeliveryConfig, installation: ResourceParam[Installation]
) -> None:
    """Send the deliveries that are due, until none is left or a next run is to go on."""
    # Imported here: only the run that sends needs a client of HTTP.
    from docduck.service.webhooks.delivery import deliver_due

    attempts = deliver_due(installation, 60 * config.max_minutes if config.max_minutes else HANDOVER_SECONDS)
    context.log.info(f"{attempts} attempts were made to deliver events")
    context.add_output_metadata({"attempts": attempts})


def delivery_job(name: str) -> JobDefinition:
    """Return the job."""

    @job(name=name, description="Sends the events of documents to webhooks; the API does so while it runs.")
    def deliver() -> None:
        send_deliveries()

    return deliver


def due_deliveries_sensor(
    name: str, delivery: JobDefinition, minimum_interval_seconds: int
) -> SensorDefinition:
    """Return the sensor for deliveries that nobody sends; it requests the job ``delivery``."""

    @sensor(
        name=name,
        job_name=delivery.name,
        minimum_interval_seconds=minimum_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        description="Sends events to webhooks if the API doesn't.",
    )
    def due_deliveries(
        context: SensorEvaluationContext, installation: ResourceParam[Installation]
    ) -> SensorResult | SkipReason:
        if not is_neglected(installation, HEAD_START_SECONDS):
            return SkipReason("No delivery to a webhook waits.")
        live = RunsFilter(job_name=delivery.name, statuses=LIVE)
        if context.instance.get_runs(live, limit=1):
            return SkipReason("A run sends the deliveries that are due.")
        since = clock.now() - dt.timedelta(seconds=RETRY_SECONDS)
        failed = RunsFilter(job_name=delivery.name, statuses=[DagsterRunStatus.FAILURE], updated_after=since)
        if context.instance.get_runs(failed, limit=1):
            return SkipReason(f"The last run failed less than {RETRY_SECONDS} s ago.")
        return SensorResult(run_requests=[RunRequest()])

    return due_deliveries
