"""Finds the rows of each table field over all pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from docduck.extraction.extractor import TableRows
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.extractors.layout.tables.generic.table_reader import (
    GenericTableReader,
    TableStart,
    findings,
)
from docduck.extraction.extractors.layout.tables.typed.reader import TablePart, TypedTableReader
from docduck.extraction.extractors.layout.tables.typed.reader import findings as typed_findings
from docduck.extraction.fields.field_query import FieldQuery
from docduck.fields import FieldType


@dataclass(frozen=True, slots=True)
class LocatedTable:
    """A table located on the pages: its parts by page, or a generic table of texts."""

    query: FieldQuery
    parts: Sequence[TablePart] = ()
    generic: TableStart | None = None


class TableFinder:
    """Finds and reads the tables of one document."""

    def __init__(self, analysis: DocumentAnalysis, queries: Sequence[FieldQuery]) -> None:
        self.analysis = analysis
        self.generic = GenericTableReader(analysis)
        self.typed = TypedTableReader(analysis, queries)

    def locate(self, query: FieldQuery) -> LocatedTable:
        """Locate a table on all pages and claim its rows in the analysis.

        Tables of texts alone are read by the names of their columns where these are found.
        """
        if all(column.type is FieldType.TEXT for column in query.columns):
            start = self._claimed(self.generic.start(query.field, query.columns))
            if start is not None:
                return LocatedTable(query, generic=start)
        parts = self.typed.find(query)
        self.typed.use(parts)
        for part in parts:
            self.analysis.claim(part.page, part.header_rows, part.body_rows)
        return LocatedTable(query, parts)

    def _claimed(self, start: TableStart | None) -> TableStart | None:
        """Return ``start`` if rows follow it, and claim them."""
        parts = self.generic.parts(start) if start is not None else []
        for header, body, _ in parts:
            index = header.page.index
            rows = {t.segment.row for line in body.lines for t in line.tokens}
            header_rows = {t.segment.row for c in header.columns if c.span for t in c.span.tokens}
            self.analysis.claim(index, header_rows, rows)
        return start if parts else None

    def read(self, located: LocatedTable, span: tuple[date | None, date | None] = (None, None)) -> TableRows:
        """Return the cells of a table; ``span`` bounds dates that are printed without a year."""
        context = TableContext(self.analysis.locale, *span)
        if located.generic is not None:
            return findings(self.generic.parts(located.generic), located.query.columns, context)
        return typed_findings(located.parts, located.query, context)
