"""Checks of a parser's tables, which Dagster shows as asset checks."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import func, select

from docduck import clock
from docduck.catalog.models import Document, DocumentResult
from docduck.fields import Field, FieldType
from docduck.service.core.installation import Installation
from docduck.service.documents.values import table_rows
from docduck.service.parsers.parsers import ParserView
from docduck.service.reviews.waiting import overdue_documents
from docduck.statuses import IN_PROGRESS, Status
from docduck.warehouse.names import DOCUMENTS

STUCK_SECONDS = 3600
"""In one status."""
MAX_NULL_SHARE = 0.95
"""Of rows without a value."""

TABLE_CHECKS = {"null_share": "No column is without values in nearly all rows."}
"""The checks of every table of a parser, with descriptions."""

DOCUMENT_CHECKS = {
    "required_fields": "Every document has the fields that the parser requires.",
    "arithmetic": "Sums and totals that documents print agree.",
    "confidence_floor": "The mean confidence is above the floor.",
    "no_stuck_documents": "No document has been waiting, or in work, for too long.",
    "overdue": "No document has been waiting in a review stage for too long.",
    **TABLE_CHECKS,
}
"""The checks of ``documents``, with descriptions."""

_FEW_VALUES = 20


LOOKED_AT = 1000

Result = tuple[str, dict[str, Any], dict[str, Any]]
"""A document's name, values and evidence."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check of a table; ``metadata`` holds plain numbers and texts."""

    name: str
    passed: bool
    severity: Literal["WARN", "ERROR"]
    description: str
    metadata: dict[str, Any] = field(default_factory=dict)
    table: str = DOCUMENTS


def latest_results(inst: Installation, parser: ParserView) -> list[Result]:
    """Return the results of the parser's latest thousand documents."""
    with inst.catalog.read_session() as session:
        statement = (
            select(Document.name, DocumentResult.values, DocumentResult.evidence)
            .join(DocumentResult, DocumentResult.document_id == Document.id)
            .where(Document.team_id == parser.team_id, Document.parser_id == parser.id)
            .where(Document.status.not_in((Status.FAILED, Status.SKIPPED)))
            .order_by(Document.created_at.desc(), Document.id.desc())
            .limit(LOOKED_AT)
        )
        return [(name, values, evidence) for name, values, evidence in session.execute(statement)]


def checks(inst: Installation, parser: ParserView) -> list[CheckResult]:
    """Return all checks of a parser over its latest thousand documents.

    Those of ``documents`` come first, in the order of ``DOCUMENT_CHECKS``.
    """
    results = latest_results(inst, parser)
    limit = MAX_NULL_SHARE
    scalars = [field for field in parser.fields if field.type is not FieldType.TABLE]
    tables = [field for field in parser.fields if field.type is FieldType.TABLE]
    values = [values for _, values, _ in results]
    return [
        _required_fields(parser, results),
        _arithmetic(results),
        _confidence_floor(inst, parser),
        _no_stuck_documents(inst, parser),
        _overdue(inst, parser),
        _null_share(DOCUMENTS, scalars, values, limit),
        *(
            _null_share(
                parser.columns[str(table.id)],
                table.columns,
                [row for data in values for row in table_rows(data.get(str(table.id)))],
                limit,
            )
            for table in tables
        ),
    ]


def _required_fields(parser: ParserView, results: list[Result]) -> CheckResult:
    required = {str(field.id): field.name for field in parser.fields if field.required}
    missing: Counter[str] = Counter()
    examples: list[str] = []
    for name, values, _ in results:
        absent = [label for key, label in required.items() if values.get(key) in (None, "", [])]
        missing.update(absent)
        if absent and len(examples) < 5:
            examples.append(f"{name}: {', '.join(absent)}")
    wrong = f"Required fields are missing, as in {'; '.join(examples)}" if missing else ""
    counts = {"documents": len(results), "missing": sum(missing.values()), **dict(missing)}
    return _result("required_fields", "Every document has its required fields", wrong, counts)


def _arithmetic(results: list[Result]) -> CheckResult:
    problems: list[str] = []
    for name, _, evidence in results:
        messages = [finding["message"] for finding in _findings(evidence) if finding["rule"] != "required"]
        if messages:
            problems.append(f"{name}: {messages[0]}")
    wrong = f"Sums do not agree, as in {'; '.join(problems[:5])}" if problems else ""
    counts = {"documents": len(results), "disagreeing": len(problems)}
    return _result("arithmetic", "Sums and totals agree", wrong, counts)


def _findings(evidence: dict[str, Any]) -> Iterator[dict[str, str]]:
    for entry in evidence.values():
        cells = [entry] if isinstance(entry, dict) else [cell for row in entry for cell in row.values()]
        for cell in cells:
            yield from cell.get("validation", ())


def _confidence_floor(inst: Installation, parser: ParserView) -> CheckResult:
    with inst.catalog.read_session() as session:
        latest = (
            select(Document.confidence)
            .where(
                Document.team_id == parser.team_id,
                Document.parser_id == parser.id,
                Document.confidence.is_not(None),
            )
            .order_by(Document.created_at.desc(), Document.id.desc())
            .limit(LOOKED_AT)
            .subquery()
        )
        mean = session.scalar(select(func.avg(latest.c.confidence)))
    floor = inst.settings.confidence_floor
    passed = mean is None or mean >= floor
    words = (
        "no document was read yet"
        if mean is None
        else f"mean confidence is {mean:.2f}, the floor {floor:.2f}"
    )
    return CheckResult(
        "confidence_floor", passed, "WARN", words[0].upper() + words[1:], {"mean": mean, "floor": floor}
    )


def _null_share(
    table: str, fields: Sequence[Field], rows: Sequence[Mapping[str, Any]], limit: float
) -> CheckResult:
    """Check that each column has values; too few rows say nothing."""
    shares = {
        field.name: sum(row.get(str(field.id)) in (None, "", []) for row in rows) / len(rows)
        for field in (fields if len(rows) >= _FEW_VALUES else ())
    }
    empty = {name: share for name, share in shares.items() if share > limit}
    words = ", ".join(f"{name} ({share:.0%})" for name, share in empty.items())
    fine = f"Columns have values in more than {1 - limit:.0%} of rows"
    numbers = {"rows": len(rows), "highest": max(shares.values(), default=None), "limit": limit}
    return _result("null_share", fine, words and f"Mostly empty: {words}", numbers, table=table)


def _no_stuck_documents(inst: Installation, parser: ParserView) -> CheckResult:
    limit = STUCK_SECONDS
    before = clock.now() - dt.timedelta(seconds=limit)
    with inst.catalog.read_session() as session:
        rows = session.execute(
            select(Document.name, Document.status)
            .where(
                Document.team_id == parser.team_id,
                Document.parser_id == parser.id,
                Document.status.in_(IN_PROGRESS),
                Document.updated_at < before,
            )
            .limit(LOOKED_AT)
        ).all()
    names = "; ".join(f"{name} ({status})" for name, status in rows[:5])
    wrong = names and f"Unchanged for over {limit:.0f} s: {names}"
    return _result("no_stuck_documents", "No document is stuck", wrong, {"stuck": len(rows)}, "ERROR")


def _overdue(inst: Installation, parser: ParserView) -> CheckResult:
    reviews = overdue_documents(inst, parser_id=parser.id, limit=LOOKED_AT)
    hours = inst.settings.review_overdue_hours
    names = "; ".join(
        f"{review.name} ({review.stage}, {review.assignee or 'nobody'})" for review in reviews[:5]
    )
    wrong = names and f"In a review stage for over {hours:g} h: {names}"
    return _result("overdue", "No review is overdue", wrong, {"overdue": len(reviews)})


def _result(
    name: str,
    fine: str,
    wrong: str,
    metadata: dict[str, Any],
    severity: Literal["WARN", "ERROR"] = "WARN",
    table: str = DOCUMENTS,
) -> CheckResult:
    """Return the result of a check, which has passed unless something is ``wrong``."""
    return CheckResult(name, not wrong, severity, wrong or fine, metadata, table)
