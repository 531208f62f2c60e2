"""The exports of the pipeline file, an asset each: downstream of the tables that they are made of.

Those with a cron line have a schedule, too.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from logging import Logger
from typing import Any

from dagster import (
    AssetKey,
    AssetMaterialization,
    AssetsDefinition,
    AssetSelection,
    DefaultScheduleStatus,
    MaterializeResult,
    MetadataValue,
    ResourceParam,
    ScheduleDefinition,
    TableColumnDep,
    TableColumnLineage,
    asset,
    define_asset_job,
)

from dagster_docduck.assets.markdown import bullets
from dagster_docduck.assets.names import OWN_NAMES, Names
from dagster_docduck.assets.parser_tables import COLUMN_LINEAGE, ParserTables, refers_to
from dagster_docduck.retries import RETRY_TAGS, retrying
from docduck.errors import DocduckError, InputError
from docduck.ids import snake_case
from docduck.service.core.installation import Installation
from docduck.service.outputs.folder_exports import export_by_spec
from docduck.service.parsers.parsers import parsers_with_ids
from docduck.service.pipeline.bounds import Bounds
from docduck.service.pipeline.export_specs import ExportSpec
from docduck.service.runs.processing_runs import EXPORTS
from docduck.service.upkeep.bounds_checks import failing_blocks
from docduck.warehouse.layout import TABLE, Table
from docduck.warehouse.names import DOCUMENTS


def export_key(spec: ExportSpec) -> AssetKey:
    """Return the key of the export's asset."""
    return AssetKey([EXPORTS, snake_case(spec.name, "export")])


def export_assets(
    specs: Sequence[ExportSpec], parsers: Collection[ParserTables]
) -> tuple[list[AssetsDefinition], list[str]]:
    """Return an asset for each export, and messages about those that can't be one."""
    used_names = {
        parser.key(table.name).to_python_identifier() for parser in parsers for table in parser.tables
    }
    assets: list[AssetsDefinition] = []
    problems: list[str] = []
    for spec in specs:
        parser = next((candidate for candidate in parsers if refers_to(spec.parser, candidate)), None)
        try:
            if parser is None:
                raise InputError(f"there is no parser '{spec.parser}' with assets")
            if parser.names.of(export_key(spec)).to_python_identifier() in used_names:
                raise InputError("its asset key is also a table's")
            assets.append(_export_asset(spec, parser, _tables(spec, parser)))
        except DocduckError as error:
            problems.append(f"Export '{spec.name}' has no asset: {error}")
    return assets, problems


def exports_after_run(
    inst: Installation,
    specs: Iterable[ExportSpec],
    parser: ParserTables,
    bounds: Sequence[Bounds],
    log: Logger,
) -> Iterator[AssetMaterialization]:
    """Write the parser's exports with ``after: each run``; yield their materialisations.

    The run that has written the rows does so itself: automation conditions miss rows that arrive between an
    export's reading and the next evaluation. Log an export that can't be written, or that a blocking check
    of ``bounds`` holds back; the run does not fail.
    """
    due = [spec for spec in specs if spec.after_each_run and refers_to(spec.parser, parser)]
    failing = _failing_blocks(inst, parser, bounds) if due else []
    for spec in due:
        if failing:
            log.error("Export '%s' waits: %s", spec.name, "; ".join(failing))
            continue
        try:
            metadata = _write(inst, spec, parser, _tables(spec, parser), "run")
        except (DocduckError, OSError) as error:
            log.error("Export '%s' was not written: %s", spec.name, error)
        else:
            yield AssetMaterialization(parser.names.of(export_key(spec)), metadata=metadata)


def _failing_blocks(inst: Installation, parser: ParserTables, bounds: Sequence[Bounds]) -> list[str]:
    """Return the descriptions of blocking checks that fail."""
    return [
        check.description
        for view in parsers_with_ids(inst, [parser.id])
        for check in failing_blocks(inst, view, bounds)
    ]


def _export_asset(spec: ExportSpec, parser: ParserTables, tables: Sequence[Table]) -> AssetsDefinition:

    @asset(
        key=parser.names.of(export_key(spec)),
        deps=list(dict.fromkeys([parser.key(DOCUMENTS), *(parser.key(table.name) for table in tables)])),
        group_name=parser.group,
        kinds={spec.format} if spec.format else set(),
        tags=parser.tags,
        owners=parser.owners,
        description=f"Documents of {parser.name} as {spec.format or spec.layout}, "
        + ("after each run." if spec.after_each_run else f"at {spec.schedule}."),
        pool=EXPORTS,
    )
    def write_export(installation: ResourceParam[Installation]) -> MaterializeResult[None]:
        with retrying():
            return MaterializeResult(metadata=_write(installation, spec, parser, tables, "export"))

    return write_export


def _write(
    inst: Installation, spec: ExportSpec, parser: ParserTables, tables: Sequence[Table], actor: str
) -> dict[str, Any]:
    """Write an export; return the metadata of its materialisation."""
    view = export_by_spec(inst, parser.team_id, parser.id, spec, actor)
    metadata: dict[str, Any] = {"documents": view.document_count, "dagster/row_count": view.row_count}
    if view.uri is not None:
        metadata |= {
            "dagster/uri": view.uri,
            COLUMN_LINEAGE: MetadataValue.column_lineage(_lineage(parser, tables)),
        }
    if view.path is not None:
        metadata["path"] = MetadataValue.path(view.path)
    if view.warnings:
        metadata["warnings"] = MetadataValue.md(bullets(view.warnings))
    return metadata


def _tables(spec: ExportSpec, parser: ParserTables) -> Sequence[Table]:
    """Return the tables that an export holds; raise InputError if the one that it names does not exist."""
    documents, *others = parser.tables
    if spec.scope == "fields_only":
        return [documents]
    if spec.scope != "table":
        return [documents, *others]
    names = {label.key: label.text for label in parser.layout.labels if label.type == TABLE}
    chosen = [table for table in others if names[table.key] == spec.table]
    if not chosen:
        raise InputError(f"{parser.name} has no table '{spec.table}'; it has {', '.join(names.values())}")
    return chosen


def _lineage(parser: ParserTables, tables: Sequence[Table]) -> TableColumnLineage:
    """Return the columns that values come from, by the name of the field, or ``Table.Column``."""
    names = {label.key: label.text for label in parser.layout.labels}
    return TableColumnLineage(
        {
            names.get(column.key, column.name): [TableColumnDep(parser.key(table.name), column.name)]
            for table in reversed(tables)
            for column in table.columns
            if column.key in names or column.key == ":document_id"
        }
    )


def export_schedules(
    exports: Iterable[ExportSpec], keys: Collection[AssetKey], names: Names = OWN_NAMES
) -> list[ScheduleDefinition]:
    """Return a schedule for each export that has a cron line and an asset, whose key is in ``keys``."""
    scheduled = ((spec, spec.schedule, names.of(export_key(spec))) for spec in exports)
    return [_schedule(spec, cron, key) for spec, cron, key in scheduled if cron and key in keys]


def _schedule(spec: ExportSpec, cron: str, key: AssetKey) -> ScheduleDefinition:
    name = f"export_{snake_case(spec.name)}"
    return ScheduleDefinition(
        name=name,
        job=define_asset_job(name, AssetSelection.assets(key), tags=RETRY_TAGS),
        cron_schedule=cron,
        default_status=DefaultScheduleStatus.RUNNING,
        description=f"Export '{spec.name}' of the pipeline file.",
    )
