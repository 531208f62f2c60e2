"""The specs of parsers' tables in Dagster: keys, groups, dependencies, columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dagster import AssetCheckSpec, AssetKey, AssetSpec

from dagster_docduck.assets.classifiers import upstream_keys
from dagster_docduck.assets.parser_tables import ParserTables, feeds
from dagster_docduck.assets.project import Project
from dagster_docduck.assets.sources import source_key
from dagster_docduck.assets.table_checks import check_specs
from docduck.errors import InputError
from docduck.service.sources.sources import Source
from docduck.warehouse.names import DOCUMENTS


@dataclass(frozen=True, slots=True)
class TableAsset:
    """One table of a parser; ``table`` is ``documents`` or a table field's name in the warehouse."""

    parser: ParserTables
    table: str
    spec: AssetSpec

    @property
    def key(self) -> AssetKey:
        return self.spec.key

    @property
    def is_partitioned(self) -> bool:
        return self.spec.partitions_def is not None


def documents_key(slug: str) -> AssetKey:
    """Return the key of a parser's ``documents``."""
    return AssetKey([slug, DOCUMENTS])


def table_assets(project: Project) -> tuple[list[TableAsset], list[str]]:
    """Return the tables of all parsers, and messages about parsers that can't be assets."""
    assets: list[TableAsset] = []
    problems: list[str] = []
    others = [*map(source_key, project.sources), *(classifier.key for classifier in project.classifiers)]
    used_names = {key.to_python_identifier() for key in others}
    for parser in project.parsers:
        try:
            tables = list(tables_of(project, parser))
            names = {asset.key.to_python_identifier() for asset in tables}
            if names & used_names or len(names) < len(tables):
                raise InputError("its tables have the same asset keys as something else")
        except Exception as error:
            problems.append(f"Parser '{parser.slug}' has no assets: {error}")
            continue
        used_names |= names
        assets += tables
    return assets, problems


def tables_of(project: Project, parser: ParserTables) -> list[TableAsset]:
    """Return the tables of one parser."""
    upstream = [project.names.of(key) for key in upstream_keys(parser, project.sources, project.classifiers)]
    within, first_day = project.fresh_within.get(parser.slug), project.first_days.get(parser.slug)
    specs = parser.specs(project.published, upstream, within, first_day)
    return [TableAsset(parser, table, spec) for table, spec in specs.items()]


def checks_of(project: Project, tables: Iterable[TableAsset]) -> list[AssetCheckSpec]:
    """Return the specs of the tables' checks."""
    return [
        spec
        for table in tables
        for spec in check_specs(table.key, table.table, project.bounds.get(table.parser.slug, ()))
    ]


def tables_fed_by(project: Project, source: Source, tables: Iterable[TableAsset]) -> list[AssetKey]:
    """Return the tables that documents of a source may be for, also after a classifier has routed them."""
    routed = {
        target
        for classifier in project.classifiers
        if classifier.takes(source)
        for target in classifier.targets
    }
    return [table.key for table in tables if feeds(source, table.parser) or table.parser.id in routed]
