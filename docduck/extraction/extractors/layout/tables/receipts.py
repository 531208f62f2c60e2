"""Receipts: tables without a header, a text with its amount at the right, line by line.

A line such as ``2 x 3,50`` below or before an item holds its quantity and unit price.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.extractors.layout.candidates.recognizers import amounts
from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.extractors.layout.tables.columns import Match
from docduck.extraction.extractors.layout.tables.headers import HeadCell, Header
from docduck.extraction.extractors.layout.tables.headless import headless_score
from docduck.extraction.extractors.layout.tables.other_lines import summary_label
from docduck.extraction.extractors.layout.tables.rows import Line, TableRow
from docduck.extraction.fields.field_query import FieldQuery, by_concept
from docduck.extraction.normal_text import squeeze
from docduck.extraction.page.page_view import PageView, Row, Token, text_of
from docduck.extraction.values.dates import find_dates, parse_partial
from docduck.extraction.values.numbers import parse_number

_DETAIL = re.compile(
    r"(?P<quantity>\d+(?:[.,]\d+)?)\s?(?P<unit>[^\W\d_]{1,4}\.?)?\s?[x×X@*à]\s?"
    r"(?:[€$£]|EUR|USD|GBP|CHF)?\s?(?P<price>\d+[.,]\d{2,3})(?:\s?(?:€|EUR)?(?:/[^\W\d_]{1,4})?)?"
)
_LEADING = re.compile(r"(?P<quantity>\d{1,3}(?:[.,]\d{1,3})?)\s?[x×X]\s+(?=\S*[^\W\d_]{2})")
_FLAG = re.compile(r"[A-Z*#]{1,2}\d?")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_ALIGNED = 1.2
"""Tolerance of the right edges of a column's amounts, in line heights."""
_QUANTITY, _TEXT, _PRICE, _AMOUNT = range(4)

Item = tuple[dict[int, Sequence[Token]], list[Row]]
"""The words of an item by column, and its lines; quantity and price may be from a detail line."""


def find_items(
    analysis: DocumentAnalysis, query: FieldQuery, index: int
) -> Iterator[tuple[Match, list[TableRow]]]:
    """Yield the items of the page at ``index``, if it has any, as a table of texts and amounts.

    Unless tables are ``enabled``, a single item is not a table.
    """
    named = by_concept(query.columns)
    text = named.get("description") or named.get("transaction_text")
    amount = named.get("line_total") or named.get("transaction_amount")
    page, labels = analysis.view.pages[index], analysis.label_indexes[index]
    items = _items(page, analysis, labels) if text is not None and amount is not None else []
    if len(items) < (1 if analysis.options.tables == "enabled" else 2):
        return
    columns = (named.get("quantity"), text, named.get("unit_price"), amount)
    rows = []
    for parts, printed in items:
        cells = {i: list(parts[i]) for i in sorted(parts) if parts[i] and columns[i] is not None}
        rows.append(TableRow(cells, [Line(row, cells, len(cells), 1.0, 0.0, 0.0) for row in printed]))
    header = Header(page, -1, -1, [HeadCell([], [], (0.0, 0.0))] * len(columns), 0.0)
    filled = sum(len(row.cells) for row in rows) / (len(rows) * len(query.columns))
    score = headless_score(filled, [line.row for row in rows for line in row.lines])
    match = Match(header, {i: column for i, column in enumerate(columns) if column is not None}, score, 0)
    yield match, rows


def _items(page: PageView, analysis: DocumentAnalysis, label_indexes: LabelIndex) -> list[Item]:
    edge = _edge(page, analysis)
    if edge is None:
        return []
    items: list[Item] = []
    pending: list[tuple[Row, Sequence[Token]]] = []
    for row in page.rows:
        if summary_label(row, label_indexes) is not None:
            if items:
                break
            continue
        amount, words = _split(row, analysis, edge, page.line_height)
        detail = _DETAIL.fullmatch(squeeze(text_of(words))) if words else None
        if amount is None:
            if detail is not None and items and not items[-1][0].get(_PRICE):
                _add_detail(*items[-1], words, row)
                pending = []
            elif words and _LETTERS.search(row.text) and not _is_dated(row):
                pending = [(row, words)]
            else:
                pending = []
            continue
        if detail is not None and pending:
            items.append(({_TEXT: pending[0][1], _AMOUNT: amount.tokens}, [pending[0][0], row]))
            _add_detail(*items[-1], words, row)
        elif _LETTERS.search(text_of(words)) and not _is_dated(row):
            items.append((_cells(words, amount, analysis), [row]))
        pending = []
    return items


def _is_dated(row: Row) -> bool:
    """Return whether a line has a date, or begins with a day and a month."""
    return bool(find_dates(row.text)) or parse_partial(row.tokens[0].text, True, None, date.max) is not None


def _edge(page: PageView, analysis: DocumentAnalysis) -> float | None:
    """Return the right edge shared by most amounts with two decimals."""
    edges: Counter[int] = Counter()
    for row in page.rows:
        candidates = [c for c in amounts(row.segments[-1], analysis.locale) if c.decimals == 2]
        if candidates:
            edges[round(candidates[-1].right / page.line_height)] += 1
    if not edges:
        return None
    best = max(edges, key=lambda e: edges[e] + edges[e - 1] + edges[e + 1])
    return best * page.line_height


def _split(
    row: Row, analysis: DocumentAnalysis, edge: float, height: float
) -> tuple[Candidate | None, Sequence[Token]]:
    """Return the amount at the right edge of a row, and the tokens before it."""
    last = row.segments[-1]
    candidates = [c for c in amounts(last, analysis.locale) if c.decimals == 2 and c.kind == "amount"]
    tokens = row.tokens
    if not candidates or abs(candidates[-1].right - edge) > _ALIGNED * height:
        return None, tokens
    amount = candidates[-1]
    after = last.tokens[amount.end :]
    if any(not _FLAG.fullmatch(t.text) for t in after):
        return None, tokens
    stop = tokens.index(amount.tokens[0])
    return amount, tokens[:stop]


def _cells(
    words: Sequence[Token], amount: Candidate, analysis: DocumentAnalysis
) -> dict[int, Sequence[Token]]:
    text = text_of(words)
    leading = _LEADING.match(text)
    cells: dict[int, Sequence[Token]] = {_TEXT: words, _AMOUNT: amount.tokens}
    if leading is not None:
        value = parse_number(leading["quantity"], analysis.locale.decimal)
        used, length = 0, 0
        while used < len(words) and length < len(leading[0].rstrip()):
            length += len(words[used].text) + 1
            used += 1
        if value is not None:
            cells |= {_QUANTITY: words[:1], _TEXT: words[used:]}
        return cells
    ends = range(max(len(words) - 2, 1), len(words))
    numbers = [(i, parse_number(words[i].text, analysis.locale.decimal)) for i in ends]
    tail = [(i, n) for i, n in numbers if n is not None]
    if len(tail) == 2:
        (first, one), (second, other) = tail
        if one + other == amount.value:
            cells[_TEXT] = words[:first]
        elif one * other == amount.value:
            cells |= {_QUANTITY: [words[first]], _PRICE: [words[second]], _TEXT: words[:first]}
    return cells


def _add_detail(
    cells: dict[int, Sequence[Token]], lines: list[Row], words: Sequence[Token], row: Row
) -> None:
    cells |= {_QUANTITY: words[:1], _PRICE: words[-1:]}
    lines.append(row)
