"""The job that writes exports."""

from pathlib import Path

from dagster import Config, MetadataValue, OpExecutionContext, ResourceParam, job, op
from pydantic import Field

from dagster_docduck.retries import RETRY_TAGS
from docduck.exports import Format
from docduck.service.core.installation import Installation
from docduck.service.outputs.exporting import check_export_folder, export_to_folder
from docduck.service.runs.processing_runs import EXPORTS
from resources.parsers import every_parser, find_parser


class ExportConfig(Config):
    """What to export, and to which folder."""

    parser: str | None = Field(None, description="Id, slug or name of the parser; all parsers if not given")
    format: str | None = Field(None, description="json, xml, csv or xlsx; each of them if not given")
    scope: str | None = Field(None, description="fields_only, all_flat, table or all_sheets")
    table: str | None = Field(None, description="The table field, for the scope 'table'")
    folder: str | None = Field(
        None,
        description="A folder in the home's exports, in DOCDUCK_EXPORT_FOLDERS or of an export in"
        " the pipeline file; exports/<parser> in the home if not given",
    )


@op(pool=EXPORTS)
def write_exports(
    context: OpExecutionContext, config: ExportConfig, installation: ResourceParam[Installation]
) -> None:
    """Write each parser's processed and approved documents in each format."""
    folder = check_export_folder(installation, Path(config.folder)) if config.folder else None
    if config.parser:
        chosen = [find_parser(installation, config.parser)]
    else:
        chosen = [parser for parser in every_parser(installation) if not parser.problem]
    views = []
    for parser in chosen:
        for format in [config.format] if config.format else Format:
            view = export_to_folder(
                installation,
                parser.team_id,
                parser.id,
                format,
                scope=config.scope,
                table_name=config.table,
                folder=folder,
                actor="export",
            )
            context.log.info(f"{view.path}: {view.document_count} documents, {view.row_count} rows")
            views.append(view)
    context.add_output_metadata(
        {
            "files": len(views),
            "documents": sum(view.document_count for view in views),
            "rows": sum(view.row_count for view in views),
            "paths": MetadataValue.json([str(view.path) for view in views]),
        }
    )


@job(description="Writes documents to files: json, xml, csv, xlsx.", tags=RETRY_TAGS)
def export() -> None:
    """Write exports."""
    write_exports()
