"""The events of a change of a parser's tables: a materialisation of each, and the results of its checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dagster import AssetCheckEvaluation, AssetKey, AssetMaterialization

from dagster_docduck.assets.column_changes import COLUMN_SCHEMA
from dagster_docduck.assets.table_checks import TableChecks
from dagster_docduck.assets.table_metadata import Metadata
from dagster_docduck.assets.told_versions import DATA_VERSION, UntoldTables


def table_events(
    checks: TableChecks,
    untold: UntoldTables,
    metadata: Mapping[AssetKey, Metadata],
    days: Sequence[str | None] = (None,),
) -> Iterator[AssetMaterialization | AssetCheckEvaluation]:
    """Yield the events of those of the tables that ``metadata`` are of; the run was not planned for them.

    ``days`` are their partitions that have changed.
    """
    if not metadata:
        return
    tags = {DATA_VERSION: untold.version.value}
    columns = {key: shown[COLUMN_SCHEMA] for key, shown in metadata.items()}
    evaluations = checks.evaluations(untold.parser, columns)
    for key, shown in metadata.items():
        for day in days:
            yield AssetMaterialization(key, metadata=shown, partition=day, tags=tags)
    yield from (evaluation for evaluation in evaluations if evaluation.asset_key in metadata)
