"""The job that deletes documents older than their parser's ``retentionDays``."""

from dagster import OpExecutionContext, ResourceParam, job, op

from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import publish, sync_warehouse
from docduck.service.upkeep.retention import delete_expired


@op
def delete_old_documents(context: OpExecutionContext, installation: ResourceParam[Installation]) -> None:
    """Delete expired documents of every parser with ``retentionDays``, and their rows in the warehouse."""
    deleted = delete_expired(installation)
    sync_warehouse(installation)
    publish(installation, force=bool(deleted))
    for parser, count in deleted.items():
        context.log.info(f"{count} documents of {parser} have expired")
    context.add_output_metadata({"documents": sum(deleted.values()), **deleted})


@job(description="Deletes processed and failed documents that are older than their parser's retentionDays.")
def retention() -> None:
    """Delete expired documents."""
    delete_old_documents()
