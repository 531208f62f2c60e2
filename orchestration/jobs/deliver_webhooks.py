"""The job that sends deliveries to webhooks, where no API does."""

from dagster import Config, OpExecutionContext, ResourceParam, job, op
from pydantic import Field

from docduck.service.core.installation import Installation
from docduck.service.webhooks.delivery import deliver_due


class DeliveryConfig(Config):
    """How long to send."""

    max_minutes: float | None = Field(
        None, gt=0, description="Most minutes; the setting run_handover_seconds if not given"
    )


@op
def send_deliveries(
    context: OpExecutionContext, config: DeliveryConfig, installation: ResourceParam[Installation]
) -> None:
    """Send the deliveries that are due, until none is left or a next run is to go on."""
    seconds = installation.settings.run_handover_seconds
    attempts = deliver_due(installation, 60 * config.max_minutes if config.max_minutes else seconds)
    context.log.info(f"{attempts} attempts were made to deliver events")
    context.add_output_metadata({"attempts": attempts})


@job(description="Sends the events of documents to webhooks; the API does so itself while it runs.")
def deliver_webhooks() -> None:
    """Send what is due."""
    send_deliveries()
