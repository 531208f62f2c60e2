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
from docduck.extraction.extractors.layout.tables.text_tables import reader as text_tables
from docduck.extraction.fields.field_query import FieldQuery
from docduck.fields import FieldType


@dataclass(frozen=True, slots=True)
class LocatedTable:
    """A table located on the pages: its parts by page, or the start of a table of texts."""

    query: FieldQuery
    parts: Sequence[TablePart] = ()
    start: text_tables.TableStart | None = None


class TableFinder:
    """Finds and reads the tables of one document."""

    def __init__(self, analysis: DocumentAnalysis, queries: Sequence[FieldQuery]) -> None:
        self.analysis = analysis
        self._queries = queries
        self._text_tables = text_tables.TextTableReader(analysis)
        self._parts = PartFinder(analysis, queries)

    def locate_all(self) -> list[LocatedTable]:
        """Locate all tables: those first whose header fits best, since a header serves one table."""
        queries = self._queries
        if len(queries) > 1:
            queries = sorted(queries, key=self._parts.score, reverse=True)
        return [self.locate(query) for query in queries]

    def locate(self, query: FieldQuery) -> LocatedTable:
        """Locate a table on all pages and claim its rows in the analysis.

        Tables of texts alone are read by the names of their columns where these are found.
        """
        if all(column.type is FieldType.TEXT for column in query.columns):
            start = self._claimed(self._text_tables.start(query.field, query.columns))
            if start is not None:
                return LocatedTable(query, start=start)
        parts = self._parts.find(query)
        self._parts.use(parts)
        for part in parts:
            self.analysis.claim(part.page, part.header_rows, part.body_rows)
        return LocatedTable(query, parts)

    def _claimed(self, start: text_tables.TableStart | None) -> text_tables.TableStart | None:
        """Return ``start`` if rows follow it, and claim them."""
        parts = self._text_tables.parts(start) if start is not None else []
        for header, body, _ in parts:
            index = header.page.index
            rows = {t.segment.row for line in body.lines for t in line.tokens}
            header_rows = {t.segment.row for c in header.columns if c.span for t in c.span.tokens}
            self.analysis.claim(index, header_rows, rows)
        return start if parts else None

    def read(self, located: LocatedTable, span: tuple[date | None, date | None] = (None, None)) -> TableRows:
        """Return the cells of a table; ``span`` bounds dates that are printed without a year."""
        context = TableContext(self.analysis.locale, *span)
        if located.start is not None:
            return text_tables.findings(
                self._text_tables.parts(located.start), located.query.columns, context
            )
        return findings.findings(located.parts, located.query, context)
