"""The checks of parsers as Dagster shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from dagster import AssetCheckKey, AssetCheckResult, AssetCheckSeverity

from assets.table_specs import documents_key
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView
from docduck.service.upkeep.checks import checks


def check_results(
    inst: Installation, parsers: Sequence[ParserView], selected: Collection[AssetCheckKey]
) -> Iterator[AssetCheckResult]:
    """The results of the selected checks."""
    for parser in parsers:
        key = documents_key(parser.slug)
        names = {check.name for check in selected if check.asset_key == key}
        if not names:
            continue
        for result in checks(inst, parser):
            if result.name in names:
                yield AssetCheckResult(
                    asset_key=key,
                    check_name=result.name,
                    passed=result.passed,
                    severity=AssetCheckSeverity[result.severity.upper()],
                    description=result.description,
                    metadata=result.metadata,
                )
