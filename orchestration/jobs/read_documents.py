"""The job that reads documents of parsers whose tables are not in the definitions yet.

Dagster reads the annotations of decorated functions when it decorates them, so they can't be postponed.
"""

from dagster import JobDefinition, OpExecutionContext, ResourceParam, job, op

from assets.project import Project
from assets.reading import ReadingRun
from docduck.service.core.installation import Installation
from docduck.service.runs.dagster_api import READ
from resources import installation_resource


def read_documents_job(inst: Installation, project: Project) -> JobDefinition:
    """Return the job; it takes in from the project's sources, too."""

    @op(name="read_queued_documents")
    def read(context: OpExecutionContext, installation: ResourceParam[Installation]) -> None:
        """Read what is queued, and what comes meanwhile."""
        ReadingRun(context, installation, project).read()

    @job(
        name=READ,
        description="Reads documents of parsers that are so new that they have no tables here.",
        resource_defs={"installation": installation_resource(inst)},
    )
    def read_documents() -> None:
        read()

    return read_documents
