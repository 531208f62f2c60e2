"""The job that keeps the lake small and quick to read, and its schedule."""

from dagster import DefaultScheduleStatus, OpExecutionContext, ResourceParam, ScheduleDefinition, job, op

from dagster_docduck.retries import RETRY_TAGS, retrying
from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import publish


@op(pool="upkeep")
def maintain_lake(context: OpExecutionContext, installation: ResourceParam[Installation]) -> None:
    """Merge small files, and delete those that no catalog of the last hours names."""
    with retrying():
        context.add_output_metadata(dict(installation.warehouse.maintain()))
        publish(installation, force=True)


@job(description="Merges small files of the lake, and deletes those nobody reads any more.", tags=RETRY_TAGS)
def lake_upkeep() -> None:
    """Maintain the lake."""
    maintain_lake()


HOURLY_UPKEEP = ScheduleDefinition(
    name="hourly_lake_upkeep",
    job=lake_upkeep,
    cron_schedule="37 * * * *",
    default_status=DefaultScheduleStatus.RUNNING,
    description="Merges small files of the lake, every hour.",
)
