"""The job that writes an export."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dagster import Config, JobDefinition, MetadataValue, OpExecutionContext, ResourceParam, op
from pydantic import Field

from dagster_docduck.assets.reading_config import find_parser
from dagster_docduck.orchestration.jobs.choices import FormatChoice, ScopeChoice, for_each_parser
from dagster_docduck.retries import job_of
from docduck.errors import InputError, NotFound
from docduck.exports import Format
from docduck.service.core.installation import Installation
from docduck.service.outputs.exporting import ExportRequest
from docduck.service.outputs.folder_exports import check_export_folder, export_to_folder
from docduck.service.outputs.selection import Selection
from docduck.service.runs.processing_runs import EXPORTS


class ExportConfig(Config):
    """What to export, and to which folder."""

    parser: str = Field(description="Id, slug or name of the parser")
    format: FormatChoice | None = Field(None, description="The file's format, if no layout is given")
    scope: ScopeChoice | None = Field(
        None, description="The extent of the file; documents are nested if not given"
    )
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
    """Write the documents of a parser to a file; raise NotFound for an unknown parser or document."""
    if (config.format is None) == (config.layout is None):
        raise InputError(f"Choose a format ({', '.join(Format)}) or else a layout", "format")
    parser = find_parser(installation, config.parser)
    folder = check_export_folder(installation, Path(config.folder)) if config.folder else None
    selection = Selection(config.document_ids, config.external_ids, config.filters)
    try:
        view = export_to_folder(
            installation,
            parser.team_id,
            parser.id,
            ExportRequest(config.format, config.scope, config.table, config.layout, selection),
            folder=folder,
            file=config.file,
            increment=config.only_new,
        )
    except NotFound as error:
        names = ", ".join(f"'{name}'" for _, name in error.missing)
        raise NotFound(f"{error.message}: {names}", error.kind, error.value) from error
    context.log.info(f"{view.path or 'Nothing new'}: {view.document_count} documents, {view.row_count} rows")
    for warning in view.warnings:
        context.log.warning(warning)
    paths = [str(view.path)] if view.path else []
    context.add_output_metadata(
        {
            "files": len(paths),
            "documents": view.document_count,
            "rows": view.row_count,
            "skipped": MetadataValue.json(list(view.skipped)),
            "paths": MetadataValue.json(paths),
        }
    )


def export_job(parsers: Sequence[str]) -> JobDefinition:
    """Return the job; the launchpad has a configuration for each of ``parsers``, by their slugs."""
    return job_of(
        write_exports,
        "export",
        "Writes the documents of a parser to a file: json, xml, csv, xlsx or parquet.",
        for_each_parser("write_exports", parsers, format=str(Format.XLSX)),
    )
