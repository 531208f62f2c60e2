"""Tables without a header, as on till receipts: a text, then its amount at the right, line by line.

A line such as ``2 x 3,50`` under or before an article tells its quantity and unit price.
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
from docduck.extraction.fields.field_targets import FieldTarget
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
"""How far, in line heights, the right edges of one column's amounts may differ."""
_CONFIDENCE = 0.8


@dataclass
class ReceiptItem:
    """An article: its words, its amount, and what a detail line adds."""

    text: Sequence[Token]
    amount: Candidate
    quantity: tuple[Decimal, Sequence[Token]] | None = None
    price: tuple[Decimal, Sequence[Token]] | None = None
    rows: list[int] = field(default_factory=list)


def read_headerless(
    scan: DocumentAnalysis, targets: Sequence[FieldTarget], certain: bool
) -> tuple[TableRows, dict[int, set[int]]]:
    """The rows of a headless table and the page rows they take, by page index.

    Without ``certain`` (the mode ``enabled``) one lone row is not taken for a table.
    """
    by_concept = {t.concept.name: t for t in targets if t.concept}
    text = by_concept.get("description") or by_concept.get("transaction_text")
    amount = by_concept.get("line_total") or by_concept.get("transaction_amount")
    if text is None or amount is None:
        return [], {}
    rows: TableRows = []
    taken: dict[int, set[int]] = {}
    for index, page in enumerate(scan.view.pages):
        items = _items(page, scan, scan.around[index])
        if len(items) < 2 and not certain:
            continue
        for item in items:
            cells = {text.name: _finding(squeeze(" ".join(t.text for t in item.text)), item.text)}
            cells[amount.name] = _number(amount, item.amount.value, item.amount.tokens)
            for name, part in (("quantity", item.quantity), ("unit_price", item.price)):
                if part is not None and name in by_concept:
                    cells[by_concept[name].name] = _number(by_concept[name], *part)
            rows.append(cells)
            taken.setdefault(index, set()).update(item.rows)
    return rows, taken


def _number(column: FieldTarget, value: Decimal, tokens: Sequence[Token]) -> Finding:
    """Return a number, or in a column of texts its words."""
    if column.field.type is FieldType.TEXT:
        return _finding(squeeze(" ".join(t.text for t in tokens)), tokens)
    return _finding(as_json_number(value), tokens)


def _finding(value: object, tokens: Sequence[Token]) -> Finding:
    ocr = min((t.score for t in tokens), default=1.0)
    return Finding(value, _CONFIDENCE * ocr, locations(tokens), " ".join(t.text for t in tokens))


def _items(page: PageView, scan: DocumentAnalysis, around: LabelIndex) -> list[ReceiptItem]:
    edge = _edge(page, scan)
    if edge is None:
        return []
    items: list[ReceiptItem] = []
    pending: list[tuple[Row, Sequence[Token]]] = []
    for row in page.rows:
        if summary_label(row, around) is not None:
            if items:
                break
            continue
        amount, words = _split(row, scan, edge, page.line_height)
        detail = _DETAIL.fullmatch(squeeze(" ".join(t.text for t in words))) if words else None
        if amount is None:
            if detail is not None and items and items[-1].price is None:
                _add_detail(items[-1], detail, words, scan, row)
                pending = []
            elif words and _LETTERS.search(row.text) and not find_dates(row.text):
                pending = [(row, words)]
            else:
                pending = []
            continue
        if detail is not None and pending:
            item = ReceiptItem(pending[0][1], amount, rows=[pending[0][0].index, row.index])
            _add_detail(item, detail, words, scan, row)
            items.append(item)
        elif _LETTERS.search(" ".join(t.text for t in words)) and not find_dates(row.text):
            items.append(_item(words, amount, row, scan))
        pending = []
    return items


def _edge(page: PageView, scan: DocumentAnalysis) -> float | None:
    """The right edge that most amounts with two decimals share."""
    edges: Counter[int] = Counter()
    for row in page.rows:
        found = [c for c in amounts(row.segments[-1], scan.locale) if c.decimals == 2]
        if found:
            edges[round(found[-1].right / page.line_height)] += 1
    if not edges:
        return None
    best = max(edges, key=lambda e: edges[e] + edges[e - 1] + edges[e + 1])
    return best * page.line_height


def _split(
    row: Row, scan: DocumentAnalysis, edge: float, height: float
) -> tuple[Candidate | None, Sequence[Token]]:
    """The amount at the right edge of a row, and the words before it."""
    last = row.segments[-1]
    found = [c for c in amounts(last, scan.locale) if c.decimals == 2 and c.kind == "amount"]
    tokens = row.tokens
    if not found or abs(found[-1].right - edge) > _ALIGNED * height:
        return None, tokens
    amount = found[-1]
    after = last.tokens[amount.end :]
    if any(not _FLAG.fullmatch(t.text) for t in after):
        return None, tokens
    stop = tokens.index(amount.tokens[0])
    return amount, tokens[:stop]


def _item(words: Sequence[Token], amount: Candidate, row: Row, scan: DocumentAnalysis) -> ReceiptItem:
    text = " ".join(t.text for t in words)
    leading = _LEADING.match(text)
    item = ReceiptItem(words, amount, rows=[row.index])
    if leading is not None:
        value = parse_number(leading["quantity"], scan.locale.decimal)
        used, length = 0, 0
        while used < len(words) and length < len(leading[0].rstrip()):
            length += len(words[used].text) + 1
            used += 1
        if value is not None:
            item.quantity, item.text = (value, words[:1]), words[used:]
        return item
    ends = range(max(len(words) - 2, 1), len(words))
    numbers = [(i, parse_number(words[i].text, scan.locale.decimal)) for i in ends]
    tail = [(i, n) for i, n in numbers if n is not None]
    if len(tail) == 2 and tail[0][1] * tail[1][1] == amount.value:
        (first, quantity), (second, price) = tail
        if quantity is not None and price is not None:
            item.quantity, item.price = (quantity, [words[first]]), (price, [words[second]])
            item.text = words[:first]
    return item


def _add_detail(
    item: ReceiptItem, detail: re.Match[str], words: Sequence[Token], scan: DocumentAnalysis, row: Row
) -> None:
    quantity = parse_number(detail["quantity"], scan.locale.decimal)
    price = parse_number(detail["price"], scan.locale.decimal)
    if quantity is not None and price is not None:
        item.quantity, item.price = (quantity, words[:1]), (price, words[-1:])
        item.rows.append(row.index)
