"""The specs of parsers' tables and checks in Dagster: keys, groups, dependencies, columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dagster import (
    AssetCheckSpec,
    AssetKey,
    AssetSpec,
    TableColumn,
    TableColumnConstraints,
    TableConstraints,
    TableSchema,
)

from assets.classifiers import classifier_key
from assets.project import Project, feeds
from assets.sources import source_key
from docduck.column_types import BY_SQL
from docduck.errors import InputError
from docduck.ids import snake_case
from docduck.service.outputs.warehouse_sync import schema_of
from docduck.service.parsers.parsers import ParserView
from docduck.warehouse.layout import Table, layout_of
from docduck.warehouse.names import DOCUMENTS, EVIDENCE

CHECKS = {
    "required_fields": "Every document has the fields that the parser requires.",
    "arithmetic": "Sums and totals that documents print agree.",
    "confidence_floor": "The mean confidence is above the floor.",
    "no_stuck_documents": "No document has been waiting, or in work, for too long.",
    "overdue": "No document has been waiting in a review stage for too long.",
}


_NEVER_NULL = frozenset({":document_id", ":row_number", ":name", ":status", ":source", ":created_at"})
_ROWS_ARE_NUMBERED = TableConstraints(other=["(document_id, row_number) is unique"])


@dataclass(frozen=True, slots=True)
class TableAsset:
    """One table of a parser; ``table`` is ``documents`` or a table field's name in the warehouse."""

    parser: ParserView
    table: str
    spec: AssetSpec

    @property
    def key(self) -> AssetKey:
        return self.spec.key


def documents_key(slug: str) -> AssetKey:
    """Return the key of a parser's ``documents``."""
    return table_key(slug, DOCUMENTS)


def table_key(slug: str, table: str) -> AssetKey:
    """Return the key of a parser's table."""
    return AssetKey([slug, table])


def parser_tags(project: Project, parser: ParserView) -> dict[str, str]:
    """Return the tags of a parser's assets: its team, and its template if it has one."""
    tags = {"docduck/team": project.teams[parser.team_id]}
    return tags | ({"docduck/template": parser.template_key} if parser.template_key else {})


def table_assets(project: Project) -> tuple[list[TableAsset], list[str]]:
    """Return the tables of all parsers, and messages about parsers that can't be assets."""
    assets: list[TableAsset] = []
    problems: list[str] = []
    others = [*map(source_key, project.sources), *map(classifier_key, project.classifiers)]
    used_names = {key.to_python_identifier() for key in others}
    for parser in project.parsers:
        try:
            own = list(tables_of(project, parser))
            names = {asset.key.to_python_identifier() for asset in own}
            if names & used_names or len(names) < len(own):
                raise InputError("its tables have the same asset keys as something else")
        except Exception as error:
            problems.append(f"Parser '{parser.slug}' has no assets: {error}")
            continue
        used_names |= names
        assets += own
    return assets, problems


def check_specs(parsers: Iterable[ParserView]) -> list[AssetCheckSpec]:
    """Return the specs of these parsers' checks, on their ``documents``."""
    return [
        AssetCheckSpec(name, asset=documents_key(parser.slug), description=description)
        for parser in parsers
        for name, description in CHECKS.items()
    ]


def tables_of(project: Project, parser: ParserView) -> list[TableAsset]:
    """Return the tables of one parser; raise InputError if its fields can't be tables."""
    documents = documents_key(parser.slug)
    upstream = [source_key(source) for source in project.sources if feeds(source, parser)]
    upstream += [classifier_key(one) for one in project.classifiers if parser.id in one.target_ids]
    return [
        TableAsset(
            parser,
            table.name,
            AssetSpec(
                key=table_key(parser.slug, table.name),
                deps=upstream if table.name == DOCUMENTS else [documents],
                description=_description(parser, table),
                group_name=snake_case(parser.slug),
                kinds={"duckdb"},
                code_version=str(parser.revision),
                owners=[f"team:{project.teams[parser.team_id]}"],
                tags=parser_tags(project, parser),
                metadata={
                    "dagster/column_schema": column_schema(table),
                    "dagster/table_name": f"{project.published.stem}.{parser.slug}.{table.name}",
                    "dagster/uri": project.published.as_uri(),
                },
            ),
        )
        for table in layout_of(schema_of(parser)).tables
        if table.name != EVIDENCE
    ]


def _description(parser: ParserView, table: Table) -> str:
    if table.name == DOCUMENTS:
        description = f"Documents read by {parser.name}, a row each."
    else:
        description = f"Rows of a table in {parser.name}."
    return f"{description}\n\n{table.comment}" if table.comment else description


def column_schema(table: Table) -> TableSchema:
    """Return a table's columns, with the constraints that hold for every parser's."""
    columns = [
        TableColumn(
            name=column.name,
            type=BY_SQL[column.type].family,
            description=column.comment,
            constraints=TableColumnConstraints(
                nullable=column.key not in _NEVER_NULL,
                unique=table.name == DOCUMENTS and column.key == ":document_id",
            ),
        )
        for column in table.columns
    ]
    return TableSchema(columns, None if table.name == DOCUMENTS else _ROWS_ARE_NUMBERED)
