"""The job that deletes documents older than their parser's ``retentionDays``."""

from dagster import Config, OpExecutionContext, ResourceParam, op
from pydantic import Field

from dagster_docduck.assets.reading_config import find_parser
from dagster_docduck.retries import job_of, retrying, scheduled
from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import publish, sync_warehouse
from docduck.service.upkeep.retention import delete_expired


class RetentionConfig(Config):
    """Whose documents to delete."""

    parser: str | None = Field(None, description="Id, slug or name of the parser; all parsers if not given")


@op(pool="upkeep")
def delete_old_documents(
    context: OpExecutionContext, config: RetentionConfig, installation: ResourceParam[Installation]
) -> None:
    """Delete expired documents of every parser with ``retentionDays``, and their rows in the warehouse."""
    chosen = None if config.parser is None else find_parser(installation, config.parser).id
    with retrying():
        deleted = delete_expired(installation, parser_id=chosen)
        sync_warehouse(installation)
        publish(installation, force=bool(deleted))
    for parser, count in deleted.items():
        context.log.info(f"{count} documents of {parser} have expired")
    context.add_output_metadata({"documents": sum(deleted.values()), **deleted})


retention = job_of(
    delete_old_documents,
    "retention",
    "Deletes processed and failed documents that are older than their parser's retentionDays.",
)

DAILY_RETENTION = scheduled(
    retention,
    "daily_retention",
    "47 2 * * *",
    "Deletes documents that are older than their parsers keep them, every night.",
)
