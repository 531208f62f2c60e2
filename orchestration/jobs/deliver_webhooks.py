"""The job that sends deliveries to webhooks, where no API does."""

from dagster import OpExecutionContext, ResourceParam, job, op

from docduck.service.core.installation import Installation
from docduck.service.webhooks.delivery import deliver_due


@op
def send_deliveries(context: OpExecutionContext, installation: ResourceParam[Installation]) -> None:
    """Send the deliveries that are due, until none is left or a next run is to go on."""
    attempts = deliver_due(installation, installation.settings.run_handover_seconds)
    context.log.info(f"{attempts} attempts were made to deliver events")
    context.add_output_metadata({"attempts": attempts})


@job(description="Sends the events of documents to webhooks; the API does so itself while it runs.")
def deliver_webhooks() -> None:
    """Send what is due."""
    send_deliveries()
