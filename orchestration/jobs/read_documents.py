"""The job for documents of parsers whose tables are not in the definitions yet."""

from dagster import JobDefinition, OpExecutionContext, ResourceParam, job, op

from assets.processing_run import ProcessingRun, RunConfig
from assets.project import Project
from dagster_docduck.installation import InstallationResource
from dagster_docduck.retries import NO_RETRY_TAGS
from docduck.service.core.installation import Installation
from docduck.service.runs.processing_runs import READ


def read_documents_job(project: Project, resource: InstallationResource) -> JobDefinition:
    """Return the job; like ``upload``, it ingests from the project's sources, too.

    ``resource`` is the installation.
    """

    @op(name="read_queued_documents")
    def read(
        context: OpExecutionContext, config: RunConfig, installation: ResourceParam[Installation]
    ) -> None:
        """Process queued documents, and those that arrive meanwhile."""
        run = ProcessingRun(context, installation, project, config)
        with run.exclusive() as alone:
            if alone:
                run.process()
                run.export()

    @job(
        name=READ,
        description="Reads documents of parsers that are too new to have tables here.",
        resource_defs={"installation": resource},
        tags=NO_RETRY_TAGS,
    )
    def read_documents() -> None:
        read()

    return read_documents
