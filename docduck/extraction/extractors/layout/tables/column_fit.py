"""How well the cells of a column fit a field's type."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from docduck.extraction.extractors.layout.tables.cells import TableContext, cell_text, is_amount_cell
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import Token
from docduck.extraction.values.currencies import currencies_in, is_currency_mark
from docduck.extraction.values.dates import find_dates, parse_partial
from docduck.fields import FieldType

_ANY_DAY = date(2000, 12, 31)
_DIGITS, _SHORT = 3, 3
"""Number of digits from which a number is likely a code, and number of letters in parts of a code at most."""
_LONG = 7
"""Number of digits without a separator from which a number is likely a code, no amount."""
_PLAIN = 0.6
"""Fit of codes and amounts that look like something else: numbers, several words."""
_DECIMAL = re.compile(r"\D?[\d.,]*\d[.,]\d\d")


def column_fit(column: FieldQuery, cells: Sequence[Sequence[Token]], context: TableContext) -> float:
    """Return the share, 0–1, of cells whose tokens can be a value of the column."""
    filled = [cell for cell in cells if any(t.key for t in cell)]
    if not filled:
        return 0.0
    return sum(_fits(column, cell, context) for cell in filled) / len(filled)


def is_rate(column: FieldQuery) -> bool:
    """Return whether a column asks for rates in percent: "VAT" may ask for the tax."""
    is_tax = column.title.key in word_set("tax_words")
    return column.kind == "percent" and column.type is FieldType.NUMBER and not is_tax


def is_percentage(tokens: Sequence[Token]) -> bool:
    """Return whether a cell ends with the sign of percentages."""
    return cell_text(tokens).endswith("%")


def is_priced(tokens: Sequence[Token]) -> bool:
    """Return whether a cell shows a currency."""
    return bool(currencies_in(cell_text(tokens), beside_digits=True))


def assigned(fits: Sequence[Sequence[float]]) -> tuple[float, Mapping[int, int]]:
    """Return the best sum of ``fits`` of printed columns in the order of the field's, and their places."""
    count = len(fits[0])
    best: list[tuple[float, dict[int, int]]] = [(0.0, {})] * (count + 1)
    for at, fit in enumerate(fits):
        after = [best[0]]
        for i in range(count):
            options = [best[i + 1], after[i]]
            if fit[i]:
                options.append((best[i][0] + fit[i], {**best[i][1], i: at}))
            after.append(max(options, key=lambda option: option[0]))
        best = after
    return best[-1]


def is_date(text: str, context: TableContext) -> bool:
    """Return whether a text is a date, perhaps without a year."""
    parts = (text, *text.split())
    return bool(find_dates(text, context.locale.year_first)) or any(
        parse_partial(part, True, None, _ANY_DAY) for part in parts
    )


def _fits(column: FieldQuery, tokens: Sequence[Token], context: TableContext) -> float:
    text = cell_text(tokens)
    match column.field.type:
        case FieldType.NUMBER | FieldType.CURRENCY:
            if not is_amount_cell(tokens, context):
                return 0.0
            if text.isdigit() and (len(text) >= _LONG or (len(text) > 1 and text[0] == "0")):
                return 0.4 if column.concept and column.kind != "identifier" else _PLAIN
            if column.kind == "percent" and column.type is FieldType.NUMBER:
                return 1.0 if "%" in text or len(text) <= 4 else 0.4
            return 0.6 if "%" in text else 1.0
        case FieldType.DATE:
            return 1.0 if find_dates(text, context.locale.year_first) else 0.8 * is_date(text, context)
    letters = sum(c.isalpha() for c in text)
    if column.concept and column.concept.name in ("description", "transaction_text"):
        return min(1.0, letters / 6) if letters > sum(c.isdigit() for c in text) else 0.3
    if column.kind == "identifier":
        return _fits_identifier(text, tokens, context)
    if column.concept and column.concept.name == "unit":
        return 1.0 if letters and len(text) <= 12 and len(tokens) <= 2 else 0.1
    if column.kind == "amount":
        return 1.0 if is_amount_cell(tokens, context) else _PLAIN
    return 0.3 if is_amount_cell(tokens, context) and not _has_unit(tokens) else 0.7


def _fits_identifier(text: str, tokens: Sequence[Token], context: TableContext) -> float:
    digits = text.replace(" ", "")
    if digits.isdigit():
        return 1.0 if len(digits) >= _DIGITS else _PLAIN
    dates = find_dates(text, context.locale.year_first)
    if _DECIMAL.fullmatch(digits) or (dates and dates[0].end - dates[0].start == len(text)):
        return 0.1
    if not any(c.isdigit() for c in text):
        return 0.4 if len(tokens) == 1 else 0.1
    return 1.0 if len(tokens) == 1 else _PLAIN if all(map(_is_part, tokens)) else 0.1


def _is_part(token: Token) -> bool:
    """Return whether a token may be part of a code of several."""
    return len(token.text) <= _SHORT or any(c.isdigit() for c in token.text)


def _has_unit(tokens: Sequence[Token]) -> bool:
    """Return whether a cell with a number has a word that is no currency, or is a percentage."""
    return tokens[-1].text.endswith("%") or any(
        t.text.isalpha() and not is_currency_mark(t.text) for t in tokens
    )
