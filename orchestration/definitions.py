"""Dagster's definitions, from the catalog and the pipeline file as they are now; how often sensors look."""

from __future__ import annotations

import logging
import multiprocessing

from dagster import Definitions, definitions, in_process_executor

from dagster_docduck.assets.classifiers import classifier_specs
from dagster_docduck.assets.exports import export_assets, export_schedules
from dagster_docduck.assets.processing import parser_tables
from dagster_docduck.assets.project import Project, load_project, new_project
from dagster_docduck.assets.sources import source_assets
from dagster_docduck.assets.table_specs import table_assets, tables_fed_by
from dagster_docduck.deliveries import delivery_job, due_deliveries_sensor
from dagster_docduck.orchestration.jobs.export import export_job
from dagster_docduck.orchestration.jobs.lake_upkeep import HOURLY_UPKEEP, lake_upkeep
from dagster_docduck.orchestration.jobs.purge_runs import DAILY_PURGE, purge_runs
from dagster_docduck.orchestration.jobs.rebuild_warehouse import rebuild_warehouse
from dagster_docduck.orchestration.jobs.reextract import reextract_job
from dagster_docduck.orchestration.jobs.retention import DAILY_RETENTION, retention
from dagster_docduck.orchestration.jobs.upload import upload_job
from dagster_docduck.orchestration.runs import UPLOAD_RUNS
from dagster_docduck.orchestration.sensors.catalog_changed import catalog_changed_sensor
from dagster_docduck.orchestration.sensors.intake import intake_sensor
from dagster_docduck.orchestration.sensors.overdue_reviews import overdue_reviews_sensor
from dagster_docduck.queue_sensor import queue_sensor
from dagster_docduck.resources.installation import InstallationResource, installation_of, use_installation
from docduck.semaphores import name_semaphores
from docduck.service.core.installation import Installation, is_set_up
from docduck.service.runs.processing_runs import UPLOAD
from docduck.service.sources.remote_sources import RemoteSource
from docduck.service.sources.sources import Source
from docduck.settings import Settings, settings
from docduck.supervisor_watch import end_with_supervisor

_log = logging.getLogger(__name__)

SENSOR_SECONDS = 5
"""Seconds between two ticks of a sensor that looks for documents, where nothing else does."""
BACKSTOP_SECONDS, QUEUE_SECONDS = 120, 40
"""The same beside a service, which watches folders, starts runs and sends deliveries itself; shorter for the
queue, as documents of a run that was lost are only seen there."""
CATALOG_SECONDS, OVERDUE_SECONDS = 60, 600


def build_definitions(inst: Installation) -> Definitions:
    """Return an installation's definitions; whatever is broken is left out and logged."""
    return _definitions(load_project(inst), inst.settings, use_installation(inst))


@definitions
def defs() -> Definitions:
    """Return the definitions of the environment's home; Dagster loads them by this function.

    Loading creates nothing: the definitions of a home that does not exist yet are without parsers.
    """
    if multiprocessing.parent_process() is not None:
        # The child of a code server is a run: what its workers need is imported beside its start. Dagster has
        # other folders on the path while it imports this module, with which no worker is started later.
        # Imported here: the other processes of Dagster don't need it.
        from docduck.extraction.jobs.heavy_imports import import_in_advance

        import_in_advance()
    else:
        name_semaphores()
    end_with_supervisor()
    if is_set_up():
        return build_definitions(installation_of(settings().home))
    options = settings()
    return _definitions(
        new_project(options), options, InstallationResource(home=str(options.home.absolute()))
    )


def _definitions(project: Project, options: Settings, resource: InstallationResource) -> Definitions:
    tables, rejected = table_assets(project)
    parsers = list({table.parser.slug: table.parser for table in tables}.values())
    exports, unusable = export_assets(project.exports, parsers)
    problems = [*project.problems, *rejected, *unusable]
    for problem in problems:
        _log.warning("%s", problem)
    assets = [*source_assets(project.sources, project.expected_every), *parser_tables(project, tables)]
    classifiers = classifier_specs(project.classifiers, project.sources)
    slugs = [parser.slug for parser in parsers]
    upload = upload_job(project, resource)
    deliver_webhooks = delivery_job("deliver_webhooks")
    seconds, queue_seconds = (
        (BACKSTOP_SECONDS, QUEUE_SECONDS) if options.dagster_url else (SENSOR_SECONDS, SENSOR_SECONDS)
    )
    return Definitions(
        assets=[*assets, *exports, *classifiers],
        jobs=[
            upload,
            reextract_job(slugs),
            export_job(slugs),
            deliver_webhooks,
            rebuild_warehouse,
            retention,
            purge_runs,
            *([] if options.lake_url is None else [lake_upkeep]),
        ],
        sensors=[
            *(
                intake_sensor(
                    source,
                    options,
                    _interval(source, seconds),
                    upload,
                    tables_fed_by(project, source, tables),
                )
                for source in project.sources
            ),
            queue_sensor("queued_documents", UPLOAD_RUNS, queue_seconds, job_name=UPLOAD),
            overdue_reviews_sensor(OVERDUE_SECONDS),
            due_deliveries_sensor("due_deliveries", deliver_webhooks, seconds),
            catalog_changed_sensor(options.home, project.signature, problems, CATALOG_SECONDS),
        ],
        schedules=[
            *export_schedules(project.exports, {export.key for export in exports}),
            DAILY_RETENTION,
            DAILY_PURGE,
            *([] if options.lake_url is None else [HOURLY_UPKEEP]),
        ],
        resources={"installation": resource},
        executor=in_process_executor,
    )


def _interval(source: Source, seconds: int) -> int:
    """Return the seconds between two looks at ``source``; nothing else looks at one that is remote."""
    if isinstance(source, RemoteSource):
        return min(max(SENSOR_SECONDS, int(source.every.total_seconds())), BACKSTOP_SECONDS)
    return seconds
