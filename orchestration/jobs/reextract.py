"""The job that reprocesses documents."""

from collections.abc import Sequence

from dagster import Config, JobDefinition, OpExecutionContext, ResourceParam, op
from pydantic import Field

from dagster_docduck.assets.reading_config import find_parser
from dagster_docduck.orchestration.jobs.choices import StatusChoice, for_each_parser
from dagster_docduck.retries import job_of, retrying
from docduck.service.core.installation import Installation
from docduck.service.documents.reprocessing import reprocess_parser


class ReextractConfig(Config):
    """Which documents to reprocess."""

    parser: str = Field(description="Id, slug or name of the parser")
    statuses: list[StatusChoice] = Field(
        [], description="Only documents with these statuses; all that are done, approved ones too, if empty"
    )
    discard_corrections: bool = Field(
        False, description="Read also the values anew that people corrected or confirmed; they stay otherwise"
    )


@op
def queue_again(
    context: OpExecutionContext, config: ReextractConfig, installation: ResourceParam[Installation]
) -> None:
    """Queue a parser's documents again; the next run processes them with the parser's current fields."""
    parser = find_parser(installation, config.parser)
    with retrying():
        count = reprocess_parser(
            installation,
            parser.team_id,
            parser.id,
            config.statuses or None,
            actor="reextract",
            discard_corrections=config.discard_corrections,
        )
    context.log.info(f"{count} documents of {parser.slug} are queued again")
    context.add_output_metadata({"documents": count})


def reextract_job(parsers: Sequence[str]) -> JobDefinition:
    """Return the job; the launchpad has a configuration for each of ``parsers``, by their slugs."""
    return job_of(
        queue_again,
        "reextract",
        "Reads a parser's documents again, with its current fields and settings. "
        "Values that people set stay, unless they are to be discarded; reviews begin anew.",
        for_each_parser("queue_again", parsers),
    )
