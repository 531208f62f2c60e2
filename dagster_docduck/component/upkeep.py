"""The nightly upkeep of docduck's home, in a project of one's own."""

from dagster import OpExecutionContext, ResourceParam, op

from dagster_docduck.retries import job_of, retrying, scheduled
from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import publish, sync_warehouse
from docduck.service.upkeep.housekeeping import sweep
from docduck.service.upkeep.retention import delete_expired


@op(pool="upkeep")
def docduck_tidy_home(context: OpExecutionContext, installation: ResourceParam[Installation]) -> None:
    """Delete expired documents with their rows, and unused files; maintain the lake."""
    with retrying():
        deleted = delete_expired(installation)
        sync_warehouse(installation)
        publish(installation, force=bool(deleted))
        files = sweep(installation)
        installation.warehouse.maintain()
    for parser, count in deleted.items():
        context.log.info(f"{count} documents of {parser} have expired")
    context.add_output_metadata({"documents": sum(deleted.values()), "files": files, **deleted})


docduck_upkeep = job_of(
    docduck_tidy_home,
    "docduck_upkeep",
    "Deletes documents older than their parser's retentionDays, and unused files.",
)

UPKEEP_SCHEDULE = scheduled(
    docduck_upkeep,
    "docduck_daily_upkeep",
    "47 2 * * *",
    "Deletes expired documents and unused files, every night.",
)
