"""Tables without a header, such as till receipts: a text with its amount at the right, line by line.

A line such as ``2 x 3,50`` below or before an item holds its quantity and unit price.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from docduck.extraction.extractor import TableRows
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.extractors.layout.candidates.recognizers import amounts
from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.extractors.layout.tables.line_items.row_grouping import summary_label
from docduck.extraction.extractors.layout.token_text import ocr_score, text_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.normal_text import squeeze
from docduck.extraction.page.page_view import PageView, Row, Token, locations
from docduck.extraction.result import Finding
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.numbers import as_json_number, parse_number
from docduck.fields import FieldType

_DETAIL = re.compile(
    r"(?P<quantity>\d+(?:[.,]\d+)?)\s?(?P<unit>[^\W\d_]{1,4}\.?)?\s?[x×X@*à]\s?"
    r"(?:[€$£]|EUR|USD|GBP|CHF)?\s?(?P<price>\d+[.,]\d{2,3})(?:\s?(?:€|EUR)?(?:/[^\W\d_]{1,4})?)?"
)
_LEADING = re.compile(r"(?P<quantity>\d{1,3}(?:[.,]\d{1,3})?)\s?[x×X]\s+(?=\S*[^\W\d_]{2})")
_FLAG = re.compile(r"[A-Z*#]{1,2}\d?")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_ALIGNED = 1.2
"""Tolerance of the right edges of a column's amounts, in line heights."""
_CONFIDENCE = 0.8


@dataclass
class ReceiptItem:
    """An item: its text, its amount, and the quantity and price from a detail line."""

    text: Sequence[Token]
    amount: Candidate
    quantity: tuple[Decimal, Sequence[Token]] | None = None
    price: tuple[Decimal, Sequence[Token]] | None = None
    rows: list[int] = field(default_factory=list)


def read_headerless(
    analysis: DocumentAnalysis, targets: Sequence[FieldQuery], certain: bool
) -> tuple[TableRows, dict[int, set[int]]]:
    """Return the rows of a table without a header, and the page rows they use, by page index.

    Unless ``certain`` (table mode ``enabled``), a single row is not a table.
    """
    by_concept = {t.concept.name: t for t in targets if t.concept}
    text = by_concept.get("description") or by_concept.get("transaction_text")
    amount = by_concept.get("line_total") or by_concept.get("transaction_amount")
    if text is None or amount is None:
        return [], {}
    rows: TableRows = []
    taken: dict[int, set[int]] = {}
    for index, page in enumerate(analysis.view.pages):
        items = _items(page, analysis, analysis.label_indexes[index])
        if len(items) < 2 and not certain:
            continue
        for item in items:
            cells = {text.name: _finding(squeeze(text_of(item.text)), item.text)}
            cells[amount.name] = _number(amount, item.amount.value, item.amount.tokens)
            for name, part in (("quantity", item.quantity), ("unit_price", item.price)):
                if part is not None and name in by_concept:
                    cells[by_concept[name].name] = _number(by_concept[name], *part)
            rows.append(cells)
            taken.setdefault(index, set()).update(item.rows)
    return rows, taken


def _number(column: FieldQuery, value: Decimal, tokens: Sequence[Token]) -> Finding:
    """Return a number as a finding; in a text column, its printed words."""
    if column.field.type is FieldType.TEXT:
        return _finding(squeeze(text_of(tokens)), tokens)
    return _finding(as_json_number(value), tokens)


def _finding(value: object, tokens: Sequence[Token]) -> Finding:
    ocr = ocr_score(tokens)
    return Finding(value, _CONFIDENCE * ocr, locations(tokens), text_of(tokens))


def _items(page: PageView, analysis: DocumentAnalysis, label_indexes: LabelIndex) -> list[ReceiptItem]:
    edge = _edge(page, analysis)
    if edge is None:
        return []
    items: list[ReceiptItem] = []
    pending: list[tuple[Row, Sequence[Token]]] = []
    for row in page.rows:
        if summary_label(row, label_indexes) is not None:
            if items:
                break
            continue
        amount, words = _split(row, analysis, edge, page.line_height)
        detail = _DETAIL.fullmatch(squeeze(text_of(words))) if words else None
        if amount is None:
            if detail is not None and items and items[-1].price is None:
                _add_detail(items[-1], detail, words, analysis, row)
                pending = []
            elif words and _LETTERS.search(row.text) and not find_dates(row.text):
                pending = [(row, words)]
            else:
                pending = []
            continue
        if detail is not None and pending:
            item = ReceiptItem(pending[0][1], amount, rows=[pending[0][0].index, row.index])
            _add_detail(item, detail, words, analysis, row)
            items.append(item)
        elif _LETTERS.search(text_of(words)) and not find_dates(row.text):
            items.append(_item(words, amount, row, analysis))
        pending = []
    return items


def _edge(page: PageView, analysis: DocumentAnalysis) -> float | None:
    """Return the right edge shared by most amounts with two decimals."""
    edges: Counter[int] = Counter()
    for row in page.rows:
        found = [c for c in amounts(row.segments[-1], analysis.locale) if c.decimals == 2]
        if found:
            edges[round(found[-1].right / page.line_height)] += 1
    if not edges:
        return None
    best = max(edges, key=lambda e: edges[e] + edges[e - 1] + edges[e + 1])
    return best * page.line_height


def _split(
    row: Row, analysis: DocumentAnalysis, edge: float, height: float
) -> tuple[Candidate | None, Sequence[Token]]:
    """Return the amount at the right edge of a row, and the tokens before it."""
    last = row.segments[-1]
    found = [c for c in amounts(last, analysis.locale) if c.decimals == 2 and c.kind == "amount"]
    tokens = row.tokens
    if not found or abs(found[-1].right - edge) > _ALIGNED * height:
        return None, tokens
    amount = found[-1]
    after = last.tokens[amount.end :]
    if any(not _FLAG.fullmatch(t.text) for t in after):
        return None, tokens
    stop = tokens.index(amount.tokens[0])
    return amount, tokens[:stop]


def _item(words: Sequence[Token], amount: Candidate, row: Row, analysis: DocumentAnalysis) -> ReceiptItem:
    text = text_of(words)
    leading = _LEADING.match(text)
    item = ReceiptItem(words, amount, rows=[row.index])
    if leading is not None:
        value = parse_number(leading["quantity"], analysis.locale.decimal)
        used, length = 0, 0
        while used < len(words) and length < len(leading[0].rstrip()):
            length += len(words[used].text) + 1
            used += 1
        if value is not None:
            item.quantity, item.text = (value, words[:1]), words[used:]
        return item
    ends = range(max(len(words) - 2, 1), len(words))
    numbers = [(i, parse_number(words[i].text, analysis.locale.decimal)) for i in ends]
    tail = [(i, n) for i, n in numbers if n is not None]
    if len(tail) == 2 and tail[0][1] * tail[1][1] == amount.value:
        (first, quantity), (second, price) = tail
        if quantity is not None and price is not None:
            item.quantity, item.price = (quantity, [words[first]]), (price, [words[second]])
            item.text = words[:first]
    return item


def _add_detail(
    item: ReceiptItem, detail: re.Match[str], words: Sequence[Token], analysis: DocumentAnalysis, row: Row
) -> None:
    quantity = parse_number(detail["quantity"], analysis.locale.decimal)
    price = parse_number(detail["price"], analysis.locale.decimal)
    if quantity is not None and price is not None:
        item.quantity, item.price = (quantity, words[:1]), (price, words[-1:])
        item.rows.append(row.index)
