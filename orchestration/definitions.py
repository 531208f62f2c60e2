"""Dagster's definitions, made from the catalog and the pipeline file as they are now."""

from __future__ import annotations

import logging

from dagster import Definitions, definitions, in_process_executor

from assets.classifiers import classifier_specs
from assets.parser_tables import parser_tables
from assets.project import load_project
from assets.sources import source_assets
from assets.table_specs import table_assets
from docduck.service.core.installation import Installation
from docduck.service.runs.supervisor_watch import end_with_supervisor
from orchestration.jobs.export import export
from orchestration.jobs.purge_runs import purge_runs
from orchestration.jobs.read_documents import read_documents_job
from orchestration.jobs.rebuild_warehouse import rebuild_warehouse
from orchestration.jobs.reextract import reextract
from orchestration.jobs.retention import retention
from orchestration.jobs.upload import upload_job
from orchestration.runs import ProcessingJobs
from orchestration.schedules.daily import DAILY_SCHEDULES
from orchestration.schedules.exports import export_schedules
from orchestration.sensors.catalog_changed import catalog_changed_sensor
from orchestration.sensors.intake import intake_sensor
from orchestration.sensors.overdue_reviews import overdue_reviews_sensor
from orchestration.sensors.queued_documents import queued_documents_sensor
from resources import installation_resource, this_installation

_log = logging.getLogger(__name__)


def build_definitions(inst: Installation) -> Definitions:
    """Return an installation's definitions; whatever is broken is left out and logged."""
    project = load_project(inst)
    tables, rejected = table_assets(project)
    problems = [*project.problems, *rejected]
    for problem in problems:
        _log.warning("%s", problem)
    assets = [*source_assets(project.sources), *parser_tables(project, tables)]
    classifiers = classifier_specs(project.classifiers, project.sources)
    processing_jobs: ProcessingJobs = [upload_job(assets), read_documents_job(inst, project)]
    seconds = inst.settings.sensor_seconds
    return Definitions(
        assets=[*assets, *classifiers],
        jobs=[*processing_jobs, reextract, export, rebuild_warehouse, retention, purge_runs],
        sensors=[
            *(intake_sensor(source, tables, processing_jobs, seconds) for source in project.sources),
            queued_documents_sensor(tables, processing_jobs, seconds),
            overdue_reviews_sensor(seconds),
            catalog_changed_sensor(project.signature, problems, seconds),
        ],
        schedules=[*export_schedules(project.exports), *DAILY_SCHEDULES],
        resources={"installation": installation_resource(inst)},
        executor=in_process_executor,
    )


@definitions
def defs() -> Definitions:
    """Return the definitions of the environment's home; Dagster loads them by this function."""
    end_with_supervisor()
    return build_definitions(this_installation())
