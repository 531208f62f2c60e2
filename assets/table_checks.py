"""The checks of parsers' tables as Dagster shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from dagster import (
    AssetCheckEvaluation,
    AssetCheckKey,
    AssetCheckResult,
    AssetCheckSeverity,
    AssetCheckSpec,
    AssetKey,
    DagsterInstance,
    TableSchema,
)

from dagster_docduck.assets.column_changes import COLUMN_CHANGE, column_change
from dagster_docduck.assets.names import OWN_NAMES, Names
from dagster_docduck.assets.parser_tables import ParserTables
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView
from docduck.service.pipeline.bounds import Bounds, bounds_of
from docduck.service.pipeline.pipeline_spec import Pipeline
from docduck.service.runs.processing_runs import BLOCKED_TAG
from docduck.service.upkeep.bounds_checks import bounds_checks
from docduck.service.upkeep.checks import DOCUMENT_CHECKS, TABLE_CHECKS, checks
from docduck.warehouse.names import DOCUMENTS

BoundsBySlug = Mapping[str, Sequence[Bounds]]
"""The bounds in the pipeline file, by the slug of their parser."""

COLUMN_CHECK = {COLUMN_CHANGE: "The last two materialisations have the same columns, with the same types."}
"""The check that only Dagster's history can do."""


def pipeline_bounds(
    pipeline: Pipeline, parsers: Iterable[ParserTables]
) -> tuple[dict[str, Sequence[Bounds]], list[str]]:
    """Return the bounds of these parsers, and messages, with file and line, about those of unknown fields."""
    by_slug = {parser.slug: parser for parser in parsers}
    bounds: dict[str, Sequence[Bounds]] = {}
    problems = []
    for index, spec in enumerate(pipeline.parsers):
        if spec.checks and spec.key in by_slug:
            try:
                bounds[spec.key] = bounds_of(by_slug[spec.key].layout, spec.checks)
            except InputError as error:
                problems.append(pipeline.error([(f"parsers[{index}].{error.path}", error.message)]).message)
    return bounds, problems


def check_specs(key: AssetKey, table: str, bounds: Sequence[Bounds]) -> list[AssetCheckSpec]:
    """Return the specs of a table's checks; ``bounds`` are those of its parser."""
    checks_of_table = DOCUMENT_CHECKS if table == DOCUMENTS else TABLE_CHECKS
    descriptions = {**checks_of_table, **COLUMN_CHECK}
    return [
        *(AssetCheckSpec(name, asset=key, description=text) for name, text in descriptions.items()),
        *(
            AssetCheckSpec(
                bound.name, asset=key, description=f"{bound.sentence}.", blocking=bound.is_blocking
            )
            for bound in bounds
            if bound.table == table
        ),
    ]


class TableChecks:
    """The checks of a home's tables."""

    def __init__(
        self,
        inst: Installation,
        instance: DagsterInstance,
        bounds: BoundsBySlug,
        names: Names = OWN_NAMES,
    ) -> None:
        self._inst = inst
        self._instance = instance
        self._bounds = bounds
        self._names = names

    def results(
        self, run_id: str, parsers: Sequence[ParserView], selected: Collection[AssetCheckKey]
    ) -> Iterator[AssetCheckResult]:
        """Yield the results of the selected checks, of tables whose materialisations are stored.

        Tag the run with the blocking checks that fail, for which Dagster marks it as failed.
        """
        failing = []
        for result in self._selected(parsers, selected):
            failing += [] if result.passed else self._blocked_by(result)
            yield result
        if failing:
            self._instance.add_run_tags(run_id, {BLOCKED_TAG: " ".join(failing)})

    def _blocked_by(self, failed: AssetCheckResult) -> list[str]:
        """Return the key of a check that has failed, if it is blocking."""
        key = failed.asset_key or AssetKey([])
        slug, table = self._names.own(key).path
        is_blocking = any(
            bound.is_blocking and (bound.table, bound.name) == (table, failed.check_name)
            for bound in self._bounds.get(slug, ())
        )
        return [f"{key.to_user_string()}:{failed.check_name}"] if is_blocking else []

    def _selected(
        self, parsers: Sequence[ParserView], selected: Collection[AssetCheckKey]
    ) -> Iterator[AssetCheckResult]:
        for parser in parsers:
            wanted = {check for check in selected if self._names.own(check.asset_key).path[0] == parser.slug}
            for result in self._of_rows(parser) if wanted else ():
                if AssetCheckKey(result["asset_key"], result["check_name"]) in wanted:
                    yield AssetCheckResult(**result)
        for check in selected:
            if check.name == COLUMN_CHANGE:
                yield AssetCheckResult(**column_change(self._instance, check.asset_key))

    def evaluations(
        self, parser: ParserView, columns: Mapping[AssetKey, TableSchema]
    ) -> list[AssetCheckEvaluation]:
        """Return the results of all checks of a parser, as events for checks that a run was not started for.

        ``columns`` are those of its tables' materialisations, which are yet to be stored.
        """
        changes = (column_change(self._instance, key, schema) for key, schema in columns.items())
        return [AssetCheckEvaluation(**result) for result in (*self._of_rows(parser), *changes)]

    def _of_rows(self, parser: ParserView) -> Iterator[dict[str, Any]]:
        results = checks(self._inst, parser)
        results += bounds_checks(self._inst, parser, self._bounds.get(parser.slug, ()))
        for result in results:
            yield {
                "asset_key": self._names.of(AssetKey([parser.slug, result.table])),
                "check_name": result.name,
                "passed": result.passed,
                "severity": AssetCheckSeverity[result.severity],
                "description": result.description,
                "metadata": result.metadata,
            }
