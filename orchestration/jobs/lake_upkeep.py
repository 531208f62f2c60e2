"""The job that keeps the lake small and quick to read, and its schedule."""

from dagster import OpExecutionContext, ResourceParam, op

from dagster_docduck.retries import job_of, retrying, scheduled
from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import publish


@op(pool="upkeep")
def maintain_lake(context: OpExecutionContext, installation: ResourceParam[Installation]) -> None:
    """Merge small files, and delete those that no catalog of the last hours names."""
    with retrying():
        context.add_output_metadata(dict(installation.warehouse.maintain()))
        publish(installation, force=True)


lake_upkeep = job_of(
    maintain_lake, "lake_upkeep", "Merges small files of the lake, and deletes those nobody reads any more."
)

HOURLY_UPKEEP = scheduled(
    lake_upkeep, "hourly_lake_upkeep", "37 * * * *", "Merges small files of the lake, every hour."
)
