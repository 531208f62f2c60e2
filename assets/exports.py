"""The exports of the pipeline file, an asset each: downstream of the tables that they are made of."""

from collections.abc import Collection, Mapping, Sequence

from dagster import (
    AssetKey,
    AssetsDefinition,
    AutomationCondition,
    MaterializeResult,
    MetadataValue,
    ResourceParam,
    TableColumnDep,
    TableColumnLineage,
    asset,
)

from assets.project import Project, refers_to
from assets.table_specs import TableAsset, documents_key, parser_tags, table_key
from docduck.errors import DocduckError, InputError
from docduck.exports import ExportPlan, Scope, resolve
from docduck.fields import Field, FieldType
from docduck.ids import snake_case
from docduck.service.core.installation import Installation
from docduck.service.outputs.exporting import export_to_folder
from docduck.service.parsers.parsers import ParserView
from docduck.service.pipeline.pipeline_spec import ExportSpec
from docduck.service.runs.processing_runs import EXPORTS
from resources.retries import retrying

AFTER_EACH_RUN = AutomationCondition.eager().without(~AutomationCondition.any_deps_in_progress())
"""Follow the tables, also while a run goes on: under a steady load, one always does."""


def export_key(spec: ExportSpec) -> AssetKey:
    """Return the key of the export's asset."""
    return AssetKey([EXPORTS, snake_case(spec.name, "export")])


def export_assets(
    project: Project, tables: Collection[TableAsset]
) -> tuple[list[AssetsDefinition], list[str]]:
    """Return an asset for each export, and messages about those that can't be one."""
    by_slug: dict[str, ParserView] = {one.parser.slug: one.parser for one in tables}
    used_names = {one.key.to_python_identifier() for one in tables}
    assets: list[AssetsDefinition] = []
    problems: list[str] = []
    for spec in project.exports:
        parser = next((one for one in by_slug.values() if refers_to(spec.parser, one)), None)
        try:
            if parser is None:
                raise InputError(f"there is no parser '{spec.parser}' with assets")
            if export_key(spec).to_python_identifier() in used_names:
                raise InputError("its asset key is also a table's")
            plan = resolve(spec.format, spec.scope, spec.table, parser.fields)
            assets.append(_export_asset(project, spec, parser, plan))
        except DocduckError as error:
            problems.append(f"Export '{spec.name}' has no asset: {error}")
    return assets, problems


def _export_asset(
    project: Project, spec: ExportSpec, parser: ParserView, plan: ExportPlan
) -> AssetsDefinition:
    tables = _tables(plan)

    @asset(
        key=export_key(spec),
        deps=[documents_key(parser.slug), *(_key(parser, one) for one in tables)],
        group_name=EXPORTS,
        kinds={spec.format},
        tags=parser_tags(project, parser),
        owners=[f"team:{project.teams[parser.team_id]}"],
        description=f"Documents of {parser.name} as {spec.format}, "
        + ("after each run." if spec.after_each_run else f"at {spec.schedule}."),
        automation_condition=AFTER_EACH_RUN if spec.after_each_run else None,
        pool=EXPORTS,
    )
    def write_export(installation: ResourceParam[Installation]) -> MaterializeResult[None]:
        with retrying():
            view = export_to_folder(
                installation,
                parser.team_id,
                parser.id,
                spec.format,
                scope=spec.scope,
                table_name=spec.table,
                folder=spec.folder,
            )
        lineage = TableColumnLineage(_lineage(parser, plan))
        return MaterializeResult(
            metadata={
                "dagster/uri": view.path.absolute().as_uri(),
                "dagster/row_count": view.row_count,
                "dagster/column_lineage": MetadataValue.column_lineage(lineage),
                "path": MetadataValue.path(view.path),
                "documents": view.document_count,
            }
        )

    return write_export


def _tables(plan: ExportPlan) -> Sequence[Field]:
    if plan.scope is Scope.FIELDS_ONLY:
        return ()
    return plan.tables if plan.table is None else (plan.table,)


def _key(parser: ParserView, table: Field) -> AssetKey:
    return table_key(parser.slug, parser.columns[str(table.id)])


def _lineage(parser: ParserView, plan: ExportPlan) -> Mapping[str, Sequence[TableColumnDep]]:
    """Return the columns that the values of each field come from, by its name or ``Table.Column``."""

    def dep(key: AssetKey, field: Field) -> Sequence[TableColumnDep]:
        return [TableColumnDep(key, parser.columns[str(field.id)])]

    documents = documents_key(parser.slug)
    lineage = {"document_id": [TableColumnDep(documents, "document_id")]}
    scalars = plan.scalars if plan.table is None else ()
    return {
        **lineage,
        **{field.name: dep(documents, field) for field in scalars if field.type is not FieldType.TABLE},
        **{
            f"{table.name}.{column.name}": dep(_key(parser, table), column)
            for table in _tables(plan)
            for column in table.columns
        },
    }
