"""The job that writes exports."""

from pathlib import Path
from typing import Any

from dagster import Config, MetadataValue, OpExecutionContext, ResourceParam, job, op
from pydantic import Field

from dagster_docduck.retries import RETRY_TAGS
from docduck.errors import InputError
from docduck.exports import Format
from docduck.service.core.installation import Installation
from docduck.service.outputs.exporting import ExportRequest
from docduck.service.outputs.folder_exports import check_export_folder, export_to_folder
from docduck.service.outputs.selection import Selection
from docduck.service.runs.processing_runs import EXPORTS
from resources.parsers import every_parser, find_parser


class ExportConfig(Config):
    """What to export, and to which folder."""

    parser: str | None = Field(None, description="Id, slug or name of the parser; all parsers if not given")
    format: str | None = Field(
        None, description="json, xml, csv, xlsx or parquet; each of them if neither this nor layout is given"
    )
    scope: str | None = Field(None, description="fields_only, all_flat, table or all_sheets")
    table: str | None = Field(None, description="The table field, for the scope 'table'")
    layout: str | None = Field(None, description="Name or id of a saved export layout, instead of these")
    document_ids: list[str] | None = Field(None, description="Ids of the documents")
    external_ids: list[str] | None = Field(None, description="External ids of the documents")
    filters: list[dict[str, Any]] | None = Field(
        None, description="Conditions that documents must match, as in searches: {field, operator, value}"
    )
    only_new: str | None = Field(
        None, description="Name of an incremental export: only the documents that none of its files has"
    )
    folder: str | None = Field(
        None,
        description="A folder in the home's exports, in DOCDUCK_EXPORT_FOLDERS or of an export in"
        " the pipeline file; exports/<parser> in the home if not given",
    )
    file: str | None = Field(
        None,
        description="The file's name without extension, with {parser}, {export}, {format}, {date} and {time}",
    )


@op(pool=EXPORTS)
def write_exports(
    context: OpExecutionContext, config: ExportConfig, installation: ResourceParam[Installation]
) -> None:
    """Write the documents of each parser in each format."""
    if config.only_new and not (config.format or config.layout):
        raise InputError("only_new needs format or layout: each document is in one file", "only_new")
    folder = check_export_folder(installation, Path(config.folder)) if config.folder else None
    if config.parser:
        chosen = [find_parser(installation, config.parser)]
    else:
        chosen = [parser for parser in every_parser(installation) if not parser.problem]
    selection = Selection(config.document_ids, config.external_ids, config.filters)
    formats = [config.format] if config.format or config.layout else list(Format)
    views = []
    for parser in chosen:
        for format in formats:
            view = export_to_folder(
                installation,
                parser.team_id,
                parser.id,
                ExportRequest(format, config.scope, config.table, config.layout, selection),
                folder=folder,
                file=config.file,
                increment=config.only_new,
            )
            context.log.info(
                f"{view.path or 'Nothing new'}: {view.document_count} documents, {view.row_count} rows"
            )
            for warning in view.warnings:
                context.log.warning(warning)
            views.append(view)
    paths = [str(view.path) for view in views if view.path]
    context.add_output_metadata(
        {
            "files": len(paths),
            "documents": sum(view.document_count for view in views),
            "rows": sum(view.row_count for view in views),
            "skipped": MetadataValue.json([one for view in views for one in view.skipped]),
            "paths": MetadataValue.json(paths),
        }
    )


@job(description="Writes documents to files: json, xml, csv, xlsx, parquet.", tags=RETRY_TAGS)
def export() -> None:
    """Write exports."""
    write_exports()
