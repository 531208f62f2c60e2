"""The tables of a parser as asset specs: keys, groups, dependencies, columns."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from dagster import (
    AssetKey,
    AssetSpec,
    DailyPartitionsDefinition,
    FreshnessPolicy,
    TableColumn,
    TableColumnConstraints,
    TableColumnDep,
    TableColumnLineage,
    TableConstraints,
    TableSchema,
)

from dagster_docduck.assets.column_changes import COLUMN_SCHEMA
from dagster_docduck.assets.names import OWN_NAMES, Names
from dagster_docduck.resources.io_manager import TABLE_NAME
from docduck.column_types import BY_SQL
from docduck.ids import snake_case
from docduck.service.outputs.warehouse_sync import schema_of
from docduck.service.parsers.parsers import ParserView
from docduck.service.pipeline.pipeline_spec import Pipeline
from docduck.service.sources.sources import Source
from docduck.warehouse.layout import Layout, Table, layout_from_json, layout_of
from docduck.warehouse.names import DOCUMENTS, EVIDENCE

COLUMN_LINEAGE = "dagster/column_lineage"
_NEVER_NULL = frozenset({":document_id", ":row_number", ":name", ":status", ":source", ":created_at"})
_ROWS_ARE_NUMBERED = TableConstraints(other=["(document_id, row_number) is unique"])


@dataclass(frozen=True, slots=True)
class ParserTables:
    """A parser and its tables; ``team`` is the slug of its team, ``names`` are the keys of its assets."""

    id: str
    team_id: str
    team: str
    slug: str
    name: str
    revision: int
    template: str | None
    layout: Layout
    names: Names = field(default=OWN_NAMES, compare=False)

    @classmethod
    def of(cls, parser: ParserView, team: str) -> Self:
        """Return the tables of a parser; raise InputError if its fields can't be tables."""
        return cls(
            id=parser.id,
            team_id=parser.team_id,
            team=team,
            slug=parser.slug,
            name=parser.name,
            revision=parser.revision,
            template=parser.template_key,
            layout=layout_of(schema_of(parser)),
        )

    @classmethod
    def from_json(cls, raw: dict[str, Any], names: Names = OWN_NAMES) -> Self:
        """Return the tables from ``as_json``."""
        return cls(**{**raw, "layout": layout_from_json(raw["layout"]), "names": names})

    def as_json(self) -> dict[str, Any]:
        """Return plain values for ``from_json``."""
        plain = {name: value for name, value in asdict(self).items() if name != "names"}
        return {**plain, "layout": self.layout.as_json()}

    @property
    def tables(self) -> list[Table]:
        """The tables that are assets: ``documents`` and one for each table field."""
        return [table for table in self.layout.tables if table.name != EVIDENCE]

    @property
    def group(self) -> str:
        """The group of the parser's tables and exports."""
        return snake_case(self.slug)

    @property
    def owners(self) -> list[str]:
        """The owners of the parser's assets."""
        return [f"team:{self.team}"]

    @property
    def tags(self) -> dict[str, str]:
        """The tags of the parser's assets: its team, and its template if it has one."""
        return {"docduck/team": self.team} | ({"docduck/template": self.template} if self.template else {})

    def key(self, table: str) -> AssetKey:
        """Return the asset key of a table."""
        return self.names.of(AssetKey([self.slug, table]))

    @property
    def keys(self) -> list[AssetKey]:
        """The asset keys of the tables."""
        return [self.key(table.name) for table in self.tables]

    def specs(
        self,
        published: Path,
        upstream: Collection[AssetKey],
        within: dt.timedelta | None = None,
        first_day: dt.date | None = None,
    ) -> dict[str, AssetSpec]:
        """Return the specs by table; ``documents`` depends on ``upstream``, other tables on ``documents``.

        ``within`` is the time within which there should be new rows. With a ``first_day``, the tables have
        daily partitions, by the days on which documents were created.
        """
        policy = None if within is None else FreshnessPolicy.time_window(within)
        days = None if first_day is None else DailyPartitionsDefinition(first_day.isoformat(), end_offset=1)
        return {table.name: self._spec(table, published, upstream, policy, days) for table in self.tables}

    def _spec(
        self,
        table: Table,
        published: Path,
        upstream: Collection[AssetKey],
        policy: FreshnessPolicy | None,
        days: DailyPartitionsDefinition | None,
    ) -> AssetSpec:
        return AssetSpec(
            key=self.key(table.name),
            deps=upstream if table.name == DOCUMENTS else [self.key(DOCUMENTS)],
            description=self._description(table),
            group_name=self.group,
            kinds={"duckdb"},
            code_version=str(self.revision),
            owners=self.owners,
            tags=self.tags,
            freshness_policy=policy,
            partitions_def=days,
            metadata={
                COLUMN_SCHEMA: _column_schema(table),
                TABLE_NAME: f"{published.stem}.{self.slug}.{table.name}",
                "dagster/uri": published.as_uri(),
                **self._lineage(table),
            },
        )

    def _lineage(self, table: Table) -> dict[str, TableColumnLineage]:
        """Return the metadata with the columns that a table of rows has from ``documents``."""
        if table.name == DOCUMENTS:
            return {}
        dep = TableColumnDep(self.key(DOCUMENTS), "document_id")
        return {COLUMN_LINEAGE: TableColumnLineage({"document_id": [dep]})}

    def _description(self, table: Table) -> str:
        if table.name == DOCUMENTS:
            description = f"Documents read by {self.name}, a row each."
        else:
            description = f"Rows of a table in {self.name}."
        return f"{description}\n\n{table.comment}" if table.comment else description


def feeds(source: Source, parser: ParserTables) -> bool:
    """Return whether ``source`` may hold documents for ``parser``, without a classifier in between."""
    return source.classifier is None and (source.parser is None or refers_to(source.parser, parser))


def refers_to(ref: str, parser: ParserTables) -> bool:
    """Return whether ``ref`` in the pipeline file is the slug, id or name of ``parser``."""
    return ref in (parser.slug, parser.id, parser.name)


def fresh_within(pipeline: Pipeline) -> dict[str, dt.timedelta]:
    """Return the time within which there should be new rows, by slug of parsers with ``freshWithinHours``."""
    return {
        parser.key: dt.timedelta(hours=parser.fresh_within_hours)
        for parser in pipeline.parsers
        if parser.fresh_within_hours is not None
    }


def first_days(pipeline: Pipeline) -> dict[str, dt.date]:
    """Return the first day of the tables' partitions, by slug of parsers with ``partitionsFrom``."""
    return {
        parser.key: parser.partitions_from
        for parser in pipeline.parsers
        if parser.partitions_from is not None
    }


def _column_schema(table: Table) -> TableSchema:
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
