"""Reports of a run, by parser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from docduck.fields import FieldType
from docduck.service.parsers.parsers import ParserView
from docduck.service.processing.extraction_outcome import ExtractionOutcome

_PREVIEW = 10


@dataclass(slots=True)
class RunReport:
    """A run's results for one parser; ``rows`` counts by warehouse table.

    ``seconds`` is the time in which the run was busy; ``errors`` counts error messages; ``preview`` holds up
    to ten documents: name, status and scalar values by field name. ``written`` counts documents whose rows
    the run wrote to the tables or removed, whoever has read or changed them.
    """

    parser_id: str
    slug: str
    documents: int = 0
    processed: int = 0
    in_review: int = 0
    failed: int = 0
    skipped: int = 0
    pages: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    confidence: float | None = None
    seconds: float = 0.0
    errors: dict[str, int] = field(default_factory=dict)
    preview: list[dict[str, Any]] = field(default_factory=list)
    written: int = 0

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.seconds if self.seconds > 0 else 0.0


class Tally:
    """Sum up a run's outcomes."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._reports: dict[str, RunReport] = {}
        self._confidences: dict[str, list[float]] = {}

    def worked(self, seconds: float) -> None:
        """Add time in which the run was busy."""
        self._seconds += seconds

    def add(self, outcomes: Sequence[ExtractionOutcome], in_review: Set[str] = frozenset()) -> None:
        """Count stored outcomes, of which the documents ``in_review`` are in review.

        Archives do not count: their members do.
        """
        for outcome in outcomes:
            parser = outcome.parser
            if outcome.members or parser is None:
                continue
            report = self._reports.setdefault(parser.id, RunReport(parser.id, parser.slug))
            report.documents += 1
            if outcome.error is not None:
                report.failed += 1
                report.errors = dict(Counter(report.errors) + Counter([str(outcome.message)]))
            elif outcome.extraction is None:
                report.skipped += 1
            else:
                if outcome.claim.document_id in in_review:
                    report.in_review += 1
                else:
                    report.processed += 1
                report.pages += len(outcome.extraction.pages)
                self._count_rows(report, parser, outcome.extraction.data)
                if outcome.extraction.confidence is not None:
                    self._confidences.setdefault(report.parser_id, []).append(outcome.extraction.confidence)
            if len(report.preview) < _PREVIEW:
                report.preview.append(_preview(outcome, parser, outcome.claim.document_id in in_review))

    def add_written(self, parsers: Iterable[ParserView], documents: Mapping[str, int]) -> None:
        """Count documents whose rows were written, by id of their parser."""
        for parser in parsers:
            report = self._reports.setdefault(parser.id, RunReport(parser.id, parser.slug))
            report.written += documents[parser.id]

    def reports(self) -> list[RunReport]:
        """Return a report for each parser that had documents; what comes later does not change it."""
        for report in self._reports.values():
            report.seconds = self._seconds
            some = self._confidences.get(report.parser_id)
            report.confidence = sum(some) / len(some) if some else None
        return deepcopy(list(self._reports.values()))

    @staticmethod
    def _count_rows(report: RunReport, parser: ParserView, data: dict[str, Any]) -> None:
        for parser_field in parser.fields:
            if parser_field.type is FieldType.TABLE:
                table = parser.columns[str(parser_field.id)]
                report.rows[table] = report.rows.get(table, 0) + len(data.get(parser_field.name) or ())


def _preview(outcome: ExtractionOutcome, parser: ParserView, in_review: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"name": outcome.claim.name, "status": "in_review" if in_review else "processed"}
    if outcome.error is not None:
        return {**row, "status": "failed", "error": outcome.message}
    if outcome.extraction is None:
        return {**row, "status": "skipped"}
    for parser_field in parser.fields:
        if parser_field.type is not FieldType.TABLE:
            row[parser_field.name] = outcome.extraction.data.get(parser_field.name)
    return row
