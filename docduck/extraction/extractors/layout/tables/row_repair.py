"""Repair of a table's rows: running numbers, article codes, and products that must hold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from docduck.extraction.equations import product_holds
from docduck.extraction.extractor import TableRows
from docduck.extraction.extractors.layout.tables.cells import TableContext, number_in
from docduck.extraction.fields.field_query import FieldQuery, by_concept
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import Token, locations, text_of
from docduck.extraction.result import Finding
from docduck.extraction.values.numbers import as_json_number

_CODE = re.compile(r"(?P<code>(?=\S*\d)[A-Z0-9][A-Z0-9./_-]{3,})\s+[-–:]\s+(?=\S)")
_NUMBER = re.compile(r"(?P<code>\d{1,3})[.)]?\s+(?=\S)")
_BRACKETED = re.compile(r"\s*\((?P<label>[^\W\d_]+)\.?\s?(?P<code>[A-Z0-9./-]*\d[A-Z0-9./-]*)\)$")
_BASE = re.compile(r"\s*\((?P<base>\d{1,6}(?:[.,]\d{1,3})?)\s?[^\W\d_]{1,6}\.?\)$")


def strip_codes(rows: TableRows, targets: Sequence[FieldQuery]) -> None:
    """Remove running numbers, and article codes that every row has, from the descriptions.

    A code becomes the row's article number if the table has that field but no column for it.
    """
    named = by_concept(targets)
    text = named.get("description")
    if text is None:
        return
    cells = [row[text.name] for row in rows if text.name in row and isinstance(row[text.name].value, str)]
    if len(cells) < 2 or len(cells) < len(rows):
        return
    numbers = [_NUMBER.match(cell.value) for cell in cells]
    if all(m and int(m["code"]) == i for i, m in enumerate(numbers, 1)):
        _strip(cells, numbers)
    _strip_named_codes(rows, text, targets)
    codes = [_CODE.match(cell.value) for cell in cells]
    if all(codes):
        sku = named.get("sku")
        for row, match in zip(rows, codes, strict=True):
            if sku is not None and sku.name not in row and match is not None:
                cell = row[text.name]
                row[sku.name] = Finding(match["code"], cell.confidence, cell.locations[:1], match["code"])
        _strip(cells, codes)


def _strip_named_codes(rows: TableRows, text: FieldQuery, targets: Sequence[FieldQuery]) -> None:
    """Move codes in brackets that a column's name announces into it: "Delivery (KV 9002)" for "KV No."."""
    for column in targets:
        if column.kind != "identifier" or any(column.name in row for row in rows):
            continue
        matches = [_BRACKETED.search(str(row[text.name].value)) for row in rows]
        if not all(match and key(match["label"]) in column.title.words for match in matches):
            continue
        for row, match in zip(rows, matches, strict=True):
            if match is not None:
                cell = row[text.name]
                row[column.name] = Finding(match["code"], cell.confidence, cell.locations, match["code"])
                cell.value = str(cell.value)[: match.start()]


def _strip(cells: Sequence[Finding], matches: Sequence[re.Match[str] | None]) -> None:
    for cell, match in zip(cells, matches, strict=True):
        if match is not None:
            cell.value = cell.value[match.end() :]


def strip_price_bases(rows: TableRows, targets: Sequence[FieldQuery]) -> None:
    """Remove a price base from descriptions ("Brackets (3 kg)") if arithmetic confirms it."""
    named = by_concept(targets)
    text = named.get("description")
    for row in rows if text is not None else ():
        cell = row.get(text.name) if text is not None else None
        base = _BASE.search(cell.value) if cell is not None and isinstance(cell.value, str) else None
        quantity, price, total = (_cell(row, named, n) for n in ("quantity", "unit_price", "line_total"))
        if cell is None or base is None or quantity is None or price is None or total is None:
            continue
        per = Decimal(base["base"].replace(",", "."))
        product = Decimal(str(quantity.value)) * Decimal(str(price.value))
        if per > 1 and abs(product / per - Decimal(str(total.value))) <= Decimal("0.011"):
            cell.value = cell.value[: base.start()]


def choose_price(
    row: dict[str, Finding], extra: Sequence[Token], targets: Sequence[FieldQuery], context: TableContext
) -> None:
    """Take the unit price from a cell's further lines if only that makes the row's product right."""
    named = by_concept(targets)
    price, quantity, total = (_cell(row, named, n) for n in ("unit_price", "quantity", "line_total"))
    if price is None or quantity is None or total is None or not extra or _holds(quantity, price, total):
        return
    rest = list(extra)
    result = next((i for i, t in enumerate(rest) if t.text.startswith("=")), None)
    if result is not None:
        rest = rest[result:]
    while rest:
        number = number_in(rest, context)
        if number is None:
            return
        value, tokens = number
        other = Finding(as_json_number(value), price.confidence, locations(tokens), text_of(tokens))
        if result is not None or _holds(quantity, other, total):
            row[named["unit_price"].name] = other
            return
        rest = rest[rest.index(tokens[-1]) + 1 :]


def _cell(row: Mapping[str, Finding], named: Mapping[str, FieldQuery], concept: str) -> Finding | None:
    target = named.get(concept)
    cell = row.get(target.name) if target is not None else None
    return cell if cell is not None and isinstance(cell.value, int | float) else None


def _holds(quantity: Finding, price: Finding, total: Finding) -> bool:
    return product_holds(*(Decimal(str(cell.value)) for cell in (quantity, price, total)))
