"""The job that makes the warehouse anew.

Dagster reads the annotations of decorated functions when it decorates them, so they can't be postponed.
"""

from dagster import OpExecutionContext, job, op

from docduck.service.projection import publish, rebuild
from resources import DocduckResource


@op
def make_anew(context: OpExecutionContext, docduck: DocduckResource) -> None:
    """Write every parser's tables again from the catalog, and publish them."""
    inst = docduck.installation
    count = rebuild(inst)
    publish(inst, force=True)
    context.log.info(f"The warehouse holds {count} documents")
    context.add_output_metadata({"documents": count})


@job(description="Makes the warehouse anew from the catalog, to the same rows.")
def rebuild_warehouse() -> None:
    """Make the warehouse anew."""
    make_anew()
