"""The job that makes the warehouse anew.

Dagster reads the annotations of decorated functions when it decorates them, so they can't be postponed.
"""

from dagster import OpExecutionContext, ResourceParam, job, op

from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import publish, rebuild


@op
def make_anew(context: OpExecutionContext, installation: ResourceParam[Installation]) -> None:
    """Write every parser's tables again from the catalog, and publish them."""
    count = rebuild(installation)
    publish(installation, force=True)
    context.log.info(f"The warehouse holds {count} documents")
    context.add_output_metadata({"documents": count})


@job(description="Makes the warehouse anew from the catalog, to the same rows.")
def rebuild_warehouse() -> None:
    """Make the warehouse anew."""
    make_anew()
