"""The checks of parsers as Dagster shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from dagster import AssetCheckEvaluation, AssetCheckKey, AssetCheckResult, AssetCheckSeverity, AssetKey

from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView
from docduck.service.upkeep.checks import checks


def check_results(
    inst: Installation, parsers: Sequence[ParserView], selected: Collection[AssetCheckKey]
) -> Iterator[AssetCheckResult]:
    """Yield the results of the selected checks."""
    for parser in parsers:
        wanted = {one for one in selected if one.asset_key.path[0] == parser.slug}
        for result in _results(inst, parser) if wanted else ():
            if AssetCheckKey(result["asset_key"], result["check_name"]) in wanted:
                yield AssetCheckResult(**result)


def check_evaluations(inst: Installation, parser: ParserView) -> Iterator[AssetCheckEvaluation]:
    """Yield the results of all checks of a parser, as events for checks that a run was not started for."""
    for result in _results(inst, parser):
        yield AssetCheckEvaluation(**result)


def _results(inst: Installation, parser: ParserView) -> Iterator[dict[str, Any]]:
    for result in checks(inst, parser):
        yield {
            "asset_key": AssetKey([parser.slug, result.table]),
            "check_name": result.name,
            "passed": result.passed,
            "severity": AssetCheckSeverity[result.severity.upper()],
            "description": result.description,
            "metadata": result.metadata,
        }
