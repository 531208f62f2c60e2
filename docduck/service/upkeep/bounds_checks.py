"""Checks that values and numbers of rows are within the bounds of pipeline.yaml."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from docduck.column_types import DECIMAL
from docduck.service.core.installation import Installation
from docduck.service.documents.values import table_rows
from docduck.service.parsers.parsers import ParserView
from docduck.service.pipeline.bounds import Bounds
from docduck.service.upkeep.checks import CheckResult, Result, latest_results
from docduck.warehouse.names import DOCUMENTS

_EXAMPLES = 5


def bounds_checks(inst: Installation, parser: ParserView, bounds: Sequence[Bounds]) -> list[CheckResult]:
    """Check values in the parser's latest thousand documents, and numbers of rows in its tables.

    A check that blocks fails as an error, the others as warnings.
    """
    results = latest_results(inst, parser) if any(bound.column for bound in bounds) else []
    counts = inst.warehouse.counts(published=False) if any(bound.column is None for bound in bounds) else {}
    rows = counts.get(parser.slug, {})
    return [
        _row_count(bound, rows.get(bound.table, 0))
        if bound.column is None
        else _values(bound, bound.column, results)
        for bound in bounds
    ]


def failing_blocks(inst: Installation, parser: ParserView, bounds: Sequence[Bounds]) -> list[CheckResult]:
    """Return the blocking checks that fail."""
    blocking = [bound for bound in bounds if bound.is_blocking]
    return [check for check in bounds_checks(inst, parser, blocking) if not check.passed]


def _row_count(bounds: Bounds, count: int) -> CheckResult:
    passed = bounds.hold(count)
    words = bounds.sentence if passed else f"{bounds.sentence}, but now {count}"
    return _result(bounds, passed, words, {"rows": count})


def _values(bounds: Bounds, key: str, results: Sequence[Result]) -> CheckResult:
    named_values = [(name, value) for name, values in _cells(bounds, key, results) for value in values]
    outside = [f"{name}: {value:f}" for name, value in named_values if not bounds.hold(value)]
    lowest = min((value for _, value in named_values), default=None)
    highest = max((value for _, value in named_values), default=None)
    words = f", but not in {'; '.join(outside[:_EXAMPLES])}" if outside else ""
    return _result(
        bounds,
        not outside,
        bounds.sentence + words,
        {
            "values": len(named_values),
            "outside": len(outside),
            "lowest": None if lowest is None else float(lowest),
            "highest": None if highest is None else float(highest),
        },
    )


def _cells(bounds: Bounds, key: str, results: Sequence[Result]) -> Iterator[tuple[str, list[Decimal]]]:
    """Yield the names of documents and their numbers."""
    for name, values, _ in results:
        rows = [values] if bounds.table == DOCUMENTS else table_rows(values.get(bounds.table_key))
        numbers = []
        for row in rows:
            try:
                number = DECIMAL.read(row.get(key))
            except ValueError:
                continue
            if number is not None:
                numbers.append(number)
        yield name, numbers


def _result(
    bounds: Bounds, passed: bool, description: str, metadata: dict[str, int | float | None]
) -> CheckResult:
    limits = {"minimum": bounds.minimum, "maximum": bounds.maximum}
    shown_limits = {name: float(limit) for name, limit in limits.items() if limit is not None}
    return CheckResult(
        bounds.name,
        passed,
        "ERROR" if bounds.is_blocking else "WARN",
        description,
        {**metadata, **shown_limits},
        bounds.table,
    )
