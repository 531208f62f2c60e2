"""The tables of a parser as Dagster sees them: keys, groups, columns and checks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dagster import AssetCheckSpec, AssetKey, AssetSpec, TableColumn, TableSchema

from assets.project import Project, feeds
from assets.source_keys import source_key
from docduck.errors import InputError
from docduck.ids import snake_case
from docduck.service.outputs.warehouse_sync import schema_of
from docduck.service.parsers.parsers import ParserView
from docduck.warehouse.layout import Table, layout_of
from docduck.warehouse.names import DOCUMENTS, EVIDENCE
from docduck.warehouse.types import BY_SQL

CHECKS = {
    "required_fields": "Every document has the fields that the parser requires.",
    "arithmetic": "Sums and totals that documents print agree.",
    "confidence_floor": "The mean confidence is above the floor.",
    "no_stuck_documents": "No document has been waiting, or in work, for too long.",
}


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
    """The key of a parser's ``documents``."""
    return AssetKey([slug, DOCUMENTS])


def table_assets(project: Project) -> tuple[list[TableAsset], list[str]]:
    """The tables of all parsers, and what is wrong with parsers that can't be shown as assets."""
    assets: list[TableAsset] = []
    problems: list[str] = []
    taken = {source_key(source).to_python_identifier() for source in project.sources}
    for parser in project.parsers:
        try:
            own = list(tables_of(project, parser))
            names = {asset.key.to_python_identifier() for asset in own}
            if names & taken or len(names) < len(own):
                raise InputError("its tables have the same asset keys as something else")
        except Exception as error:
            problems.append(f"Parser '{parser.slug}' has no assets: {error}")
            continue
        taken |= names
        assets += own
    return assets, problems


def check_specs(parsers: Iterable[ParserView]) -> list[AssetCheckSpec]:
    """The checks of these parsers, on their ``documents``."""
    return [
        AssetCheckSpec(name, asset=documents_key(parser.slug), description=description)
        for parser in parsers
        for name, description in CHECKS.items()
    ]


def tables_of(project: Project, parser: ParserView) -> list[TableAsset]:
    """Return the tables of one parser; raise InputError when its fields can't be tables."""
    documents = documents_key(parser.slug)
    feeding = [source_key(source) for source in project.sources if feeds(source, parser)]
    return [
        TableAsset(
            parser,
            table.name,
            AssetSpec(
                key=documents if table.name == DOCUMENTS else AssetKey([parser.slug, table.name]),
                deps=feeding if table.name == DOCUMENTS else [documents],
                description=_description(parser, table),
                group_name=snake_case(parser.slug),
                kinds={"duckdb"},
                metadata={
                    "dagster/column_schema": _columns(table),
                    "dagster/table_name": f"{parser.slug}.{table.name}",
                },
            ),
        )
        for table in layout_of(schema_of(parser)).tables
        if table.name != EVIDENCE
    ]


def _description(parser: ParserView, table: Table) -> str:
    main = table.name == DOCUMENTS
    what = f"Documents read by {parser.name}, a row each." if main else f"Rows of a table in {parser.name}."
    return f"{what}\n\n{table.comment}" if table.comment else what


def _columns(table: Table) -> TableSchema:
    return TableSchema(
        columns=[
            TableColumn(name=c.name, type=BY_SQL[c.type].family, description=c.comment) for c in table.columns
        ]
    )
