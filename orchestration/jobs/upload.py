"""The job that sensors and the service start: ingest from the sources and read what is queued."""

from dagster import JobDefinition, OpExecutionContext, ResourceParam, job, op

from dagster_docduck.assets.processing_run import ProcessingRun, RunConfig
from dagster_docduck.assets.project import Project
from dagster_docduck.resources.installation import InstallationResource
from dagster_docduck.retries import NO_RETRY_TAGS
from docduck.service.core.installation import Installation
from docduck.service.runs.processing_runs import UPLOAD

WARM_SECONDS = 180
"""How long a run stays for more documents."""


def upload_job(project: Project, resource: InstallationResource) -> JobDefinition:
    """Return the job; ``resource`` is the installation.

    Its events report the tables that it wrote. As it is planned without them, starting it costs the same for
    any number of parsers, and it serves those that are newer than the definitions.
    """

    @op(name="read_queued_documents")
    def read(
        context: OpExecutionContext, config: RunConfig, installation: ResourceParam[Installation]
    ) -> None:
        """Process queued documents, and those that arrive meanwhile; then wait some time for others."""
        run = ProcessingRun(context, installation, project, config)
        with run.exclusive() as alone:
            if alone:
                run.process(warm_seconds=WARM_SECONDS)

    @job(
        name=UPLOAD,
        description="Ingests new documents and reads them into the parsers' tables.",
        resource_defs={"installation": resource},
        tags=NO_RETRY_TAGS,
    )
    def upload() -> None:
        read()

    return upload
