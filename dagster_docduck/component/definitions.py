"""The definitions of a project of one's own, made from the component's state and its pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from dagster import AssetKey, AssetSpec, Definitions, map_asset_specs

from dagster_docduck.assets.classifiers import ClassifierRoutes, classifier_specs
from dagster_docduck.assets.exports import export_assets, export_schedules
from dagster_docduck.assets.names import Names
from dagster_docduck.assets.parser_tables import COLUMN_LINEAGE, ParserTables
from dagster_docduck.assets.project import Project
from dagster_docduck.assets.sources import source_assets
from dagster_docduck.assets.table_specs import TableAsset, tables_fed_by, tables_of
from dagster_docduck.component.processing import processing_asset
from dagster_docduck.component.sensors import SECONDS, TableRuns, new_documents_sensors
from dagster_docduck.component.upkeep import UPKEEP_SCHEDULE
from dagster_docduck.deliveries import delivery_job, due_deliveries_sensor
from dagster_docduck.resources.installation import InstallationResource
from dagster_docduck.resources.io_manager import DocduckIOManager
from docduck.errors import InputError
from docduck.service.pipeline.pipeline_spec import Pipeline
from docduck.service.sources.sources import INBOX, FolderSource, Source, source_of
from docduck.settings import read_settings
from docduck.warehouse.opening import published_path

IO_MANAGER = "docduck"


def project_definitions(
    state: Mapping[str, Any],
    pipeline: Pipeline,
    home: Path,
    wanted: Mapping[AssetKey, AssetSpec] | None = None,
) -> Definitions:
    """Return the assets, their triggers and resources.

    ``wanted`` are specs, by docduck's own keys of the assets, with other keys or attributes. Raise InputError
    for exports and checks that don't fit the parsers in ``state``.
    """
    theirs = {spec.key: spec for spec in (wanted or {}).values()}
    names = Names({own: spec.key for own, spec in (wanted or {}).items()})
    parsers = [ParserTables.from_json(tables, names) for tables in state["parsers"]]
    classifiers = [ClassifierRoutes(**classifier) for classifier in state["classifiers"]]
    sources: list[Source] = [FolderSource(INBOX, home / "inbox"), *map(source_of, pipeline.sources)]
    published = published_path(home, read_settings())
    project = Project.of(pipeline, sources, published, parsers, classifiers, names=names)
    exports, problems = export_assets(pipeline.exports, parsers)
    if project.problems or problems:
        raise InputError("\n".join([*project.problems, *problems]))
    tables = [table for parser in parsers for table in tables_of(project, parser)]
    processed = [processing_asset("docduck_tables", project, tables, IO_MANAGER)] if tables else []
    delivery = delivery_job("docduck_deliver_webhooks")
    return Definitions(
        assets=map_asset_specs(
            partial(_with_attributes, theirs),
            [
                *source_assets(sources, project.expected_every, names),
                *classifier_specs(classifiers, sources, names),
                *processed,
                *exports,
            ],
        ),
        jobs=[delivery],
        sensors=[
            *new_documents_sensors(sources, _runs(project, tables)),
            due_deliveries_sensor("docduck_due_deliveries", delivery, SECONDS),
        ],
        schedules=[
            *export_schedules(pipeline.exports, {export.key for export in exports}, names),
            UPKEEP_SCHEDULE,
        ],
        resources={
            "installation": InstallationResource(home=str(home)),
            IO_MANAGER: DocduckIOManager(home=str(home)),
        },
    )


def _with_attributes(wanted: Mapping[AssetKey, AssetSpec], spec: AssetSpec) -> AssetSpec:
    """Return the wanted attributes of ``spec``, with its own dependencies and lineage."""
    if spec.key not in wanted:
        return spec
    lineage = {COLUMN_LINEAGE: spec.metadata[COLUMN_LINEAGE]} if COLUMN_LINEAGE in spec.metadata else {}
    attributes = wanted[spec.key]
    return attributes.replace_attributes(deps=spec.deps, metadata={**attributes.metadata, **lineage})


def _runs(project: Project, tables: Sequence[TableAsset]) -> TableRuns:
    """Return the runs that read documents; those of a classifier's documents are for all of its parsers."""
    by_target = {
        parser.id: [table.key for table in tables if table.parser.id == parser.id]
        for parser in project.parsers
    }
    by_target |= {
        classifier.id: [key for target in classifier.targets for key in by_target.get(target, ())]
        for classifier in project.classifiers
    }
    by_source = {source.name: tables_fed_by(project, source, tables) for source in project.sources}
    return TableRuns(by_target, by_source, project.names)
