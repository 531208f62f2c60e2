"""The job that rebuilds the warehouse."""

from dagster import OpExecutionContext, ResourceParam, job, op

from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import publish, rebuild


@op
def rebuild_tables(context: OpExecutionContext, installation: ResourceParam[Installation]) -> None:
    """Rebuild every parser's tables from the catalog and publish them."""
    count = rebuild(installation)
    publish(installation, force=True)
    context.log.info(f"The warehouse holds {count} documents")
    context.add_output_metadata({"documents": count})


@job(description="Rebuilds the warehouse from the catalog, to the same rows.")
def rebuild_warehouse() -> None:
    """Rebuild the warehouse."""
    rebuild_tables()
