"""Finds the rows of each table field over all pages, and reads their cells by the types of their columns."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.extraction.extractor import TableRows
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.tables import row_repair
from docduck.extraction.extractors.layout.tables.cells import (
    TableContext,
    cell_finding,
    cell_text,
    read_cell,
    side_in,
    unit_in,
)
from docduck.extraction.extractors.layout.tables.directed import amount_of, direct, nearest_directions
from docduck.extraction.extractors.layout.tables.other_lines import (
    heading_column,
    heading_finding,
    outermost,
)
from docduck.extraction.extractors.layout.tables.parts import PartFinder, TablePart
from docduck.extraction.extractors.layout.tables.printed.printed_tables import PrintedTables
from docduck.extraction.fields.field_query import FieldQuery, by_concept
from docduck.extraction.page.page_view import Token, text_of
from docduck.extraction.result import Finding
from docduck.extraction.values.numbers import column_signs
from docduck.fields import FieldType


def locate_tables(
    analysis: DocumentAnalysis, queries: Sequence[FieldQuery]
) -> dict[str, tuple[FieldQuery, Sequence[TablePart]]]:
    """Return the parts of the tables ``queries``, by name, and claim their rows in the analysis.

    Those whose header fits best come first, since a header serves one table.
    """
    printed, headed = PrintedTables(analysis, queries), PartFinder(analysis, queries)
    if len(queries) > 1:
        queries = sorted(queries, key=headed.score, reverse=True)
    located: dict[str, tuple[FieldQuery, Sequence[TablePart]]] = {}
    for query in queries:
        parts = printed.find(query) or headed.find(query)
        headed.use(parts)
        for part in parts:
            analysis.claim(part.page, part.header_rows, part.body_rows, part.carried_rows)
        located[query.name] = query, parts
    return located


def read_rows(parts: Sequence[TablePart], query: FieldQuery, context: TableContext) -> TableRows:
    """Return the cells of a table's rows, read by the types of their columns."""
    table_rows: TableRows = []
    named = by_concept(query.columns)
    grouped = heading_column(query.columns, [c.name for part in parts for c in part.match.columns.values()])
    heading: list[Token] = []
    is_repeated = len({part.page for part in parts}) < len(parts)
    for part in parts:
        is_grouped = not part.header_rows and any(row.heading for row in part.rows)
        heading = ((is_repeated or is_grouped) and part.heading) or heading
        weight = part.match.score
        columns = part.match.columns
        if is_grouped and grouped is not None and not part.match.named:
            columns, grouped = outermost(columns, grouped, query.columns)
        places = {column.name: i for i, column in columns.items()}
        signed = {
            name: column_signs([side_in(row.cells.get(i, []), context) for row in part.rows])
            for name, i in places.items()
            if columns[i].type is FieldType.CURRENCY
        }
        part_rows: TableRows = []
        for number, row in enumerate(part.rows):
            cells: dict[str, Finding] = {}
            for name, i in places.items():
                value = read_cell(columns[i], row.cells.get(i, []), context)
                if value is not None:
                    cells[name] = cell_finding(*value, weight)
                    if name in signed and isinstance(cells[name].value, int | float):
                        cells[name].value *= signed[name][number]
            quantity, unit, price = (named.get(name) for name in ("quantity", "unit", "unit_price"))
            if quantity is not None and unit is not None and unit.name not in places:
                words = unit_in(row.cells.get(places.get(quantity.name, -1), []), context)
                if words:
                    cells[unit.name] = cell_finding(cell_text(words), words, weight)
            if price is not None and places.get(price.name) in row.extra:
                row_repair.choose_price(cells, row.extra[places[price.name]], query.columns, context)
            heading = row.heading or heading
            if cells and grouped is not None and heading:
                cells[grouped.name] = heading_finding(grouped, heading, weight)
            part_rows.append(cells)
        direct(part_rows, _directions(part, amount_of(part_rows, query.columns)), query.columns)
        table_rows += [cells for cells in part_rows if cells]
    row_repair.strip_codes(table_rows, query.columns)
    row_repair.strip_price_bases(table_rows, query.columns)
    return table_rows


def _directions(part: TablePart, amount: str | None) -> list[int]:
    """Return which way the amounts of a part's rows go, by a column with a head that no field has."""
    columns, heads = part.match.columns, part.match.header.cells
    place = next((i for i, column in columns.items() if column.name == amount), None)
    if place is None or not part.match.named:
        return []
    lines = [part.bands.cells(row.lines[0].row) for row in part.rows]
    others = {
        i: (text_of(head.tokens), [cell_text(line.get(i, [])) for line in lines])
        for i, head in enumerate(heads)
        if i not in columns
    }
    dated = any(column.type is FieldType.DATE for column in columns.values())
    return nearest_directions(others, place, dated)
