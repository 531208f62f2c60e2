"""The job that rebuilds the warehouse."""

from dagster import Config, OpExecutionContext, ResourceParam, op
from pydantic import Field

from dagster_docduck.retries import job_of, retrying
from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import publish, rebuild


class RebuildConfig(Config):
    """What to do with the rebuilt warehouse."""

    publish: bool = Field(True, description="Whether to publish it at once, or with the next new rows")


@op(pool="upkeep")
def rebuild_tables(
    context: OpExecutionContext, config: RebuildConfig, installation: ResourceParam[Installation]
) -> None:
    """Rebuild every parser's tables from the catalog and publish them."""
    with retrying():
        count = rebuild(installation)
        if config.publish:
            publish(installation, force=True)
    context.log.info(f"The warehouse holds {count} documents")
    context.add_output_metadata({"documents": count})


rebuild_warehouse = job_of(
    rebuild_tables, "rebuild_warehouse", "Rebuilds the warehouse from the catalog, to the same rows."
)
