"""Finds the rows of each table field over all pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from docduck.extraction.extractor import TableRows
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.tables import findings
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.extractors.layout.tables.parts import PartFinder, TablePart
from docduck.extraction.extractors.layout.tables.printed.printed_tables import PrintedTables
from docduck.extraction.fields.field_query import FieldQuery


@dataclass(frozen=True, slots=True)
class LocatedTable:
    """A table located on the pages: its parts by page."""

    query: FieldQuery
    parts: Sequence[TablePart]


class TableFinder:
    """Finds and reads the tables of one document."""

    def __init__(self, analysis: DocumentAnalysis, queries: Sequence[FieldQuery]) -> None:
        self.analysis = analysis
        self._queries = queries
        self._printed = PrintedTables(analysis, queries)
        self._parts = PartFinder(analysis, queries)

    def locate_all(self) -> list[LocatedTable]:
        """Locate all tables: those first whose header fits best, since a header serves one table."""
        queries = self._queries
        if len(queries) > 1:
            queries = sorted(queries, key=self._parts.score, reverse=True)
        return [self.locate(query) for query in queries]

    def locate(self, query: FieldQuery) -> LocatedTable:
        """Locate a table on all pages and claim its rows in the analysis."""
        parts = self._printed.find(query) or self._parts.find(query)
        self._parts.use(parts)
        for part in parts:
            self.analysis.claim(part.page, part.header_rows, part.body_rows)
        return LocatedTable(query, parts)

    def read(self, located: LocatedTable, span: tuple[date | None, date | None] = (None, None)) -> TableRows:
        """Return the cells of a table; ``span`` bounds dates that are printed without a year."""
        return findings.findings(located.parts, located.query, TableContext(self.analysis.locale, *span))
