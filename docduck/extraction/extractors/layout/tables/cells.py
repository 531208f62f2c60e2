"""Table cells: the tokens of one column in one row, read as the column's type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from docduck.extraction.confidence import Evidence
from docduck.extraction.extractors.layout.candidates.conversion import from_text
from docduck.extraction.extractors.layout.candidates.printed_numbers import numbers_of, spaced_text
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.normal_text import squeeze
from docduck.extraction.page.locale import Locale
from docduck.extraction.page.page_view import Token, locations, ocr_score, text_of
from docduck.extraction.result import Finding
from docduck.extraction.values.currencies import is_currency_mark
from docduck.extraction.values.dates import find_dates, parse_partial
from docduck.extraction.values.numbers import NumberMatch, Side, as_json_number, side_of_cell
from docduck.fields import NUMERIC, FieldType

_UNIT = re.compile(r"[^\W\d_][\w.²³/]*\.?(?:\s?\([^)]*\))?")
_TIMES = re.compile(r"(?<=\d)[x×](?!\S)")
"""What makes a number a count: "2x"."""
_TIME = re.compile(r"\s\d{1,2}:\d{2}(?::\d{2})?$")


@dataclass(frozen=True, slots=True)
class TableContext:
    """The locale of a document, and the first and last day for dates without a year, if known."""

    locale: Locale
    start: date | None = None
    end: date | None = None


def cell_text(tokens: Sequence[Token]) -> str:
    """Return the text of a cell; a word cut by a hyphen at a line break stays hyphenated."""
    return squeeze(text_of(tokens))


def cell_finding(value: object, tokens: Sequence[Token], score: float, headed: bool = True) -> Finding:
    """Return the value of a cell; ``score`` is its table's, ``headed`` whether its column has a head."""
    evidence = Evidence("cell", score, ocr=ocr_score(tokens), labelled=headed)
    return evidence.finding(value, locations(tokens), cell_text(tokens))


def number_in(tokens: Sequence[Token], context: TableContext) -> tuple[Decimal, list[Token]] | None:
    """Return the first number of a cell with its tokens, including currency and sign."""
    number = _first_number(tokens, context)
    return (number[0].value, number[1]) if number is not None else None


def side_in(tokens: Sequence[Token], context: TableContext) -> Side | None:
    """Return the side of an account that a cell names behind its number."""
    return side_of_cell(spaced_text(tokens, context.locale), context.locale.decimal)


def _first_number(tokens: Sequence[Token], context: TableContext) -> tuple[NumberMatch, list[Token]] | None:
    text = _TIMES.sub(" ", spaced_text(tokens, context.locale))
    return next(numbers_of(tokens, context.locale, text), None) if tokens else None


def is_amount_cell(tokens: Sequence[Token], context: TableContext) -> bool:
    """Return whether a cell holds one number and nothing else but a currency and a unit."""
    number = number_in(tokens, context)
    if number is None:
        return False
    rest = [t for t in tokens if t not in number[1] and not is_currency_mark(t.text.strip("()"))]
    return len(rest) <= 1 and all(not any(c.isdigit() for c in t.text) for t in rest)


def read_cell(
    column: FieldQuery, tokens: Sequence[Token], context: TableContext
) -> tuple[object, list[Token]] | None:
    """Return the value of a cell for its column with the tokens that show it, None if there is none."""
    if not tokens:
        return None
    field = column.field
    if field.type in NUMERIC:
        number = number_in(tokens, context)
        return (as_json_number(number[0]), number[1]) if number is not None else None
    text = cell_text(tokens)
    if field.type is FieldType.DATE:
        text = _TIME.sub("", text)
        dates = find_dates(text, context.locale.year_first)
        if dates:
            return dates[0].read(context.locale.day_first).isoformat(), list(tokens)
        for part in (text, *(t.text for t in tokens)):
            partial = parse_partial(part, context.locale.day_first, context.start, context.end)
            if partial is not None:
                return partial.isoformat(), list(tokens)
        return None
    value = from_text(field, text.strip(" |").rstrip(":").rstrip(), context.locale)
    return (value, list(tokens)) if value is not None else None


def unit_in(tokens: Sequence[Token], context: TableContext) -> list[Token]:
    """Return the tokens of a quantity cell that name its unit."""
    number = number_in(tokens, context)
    if number is None:
        return []
    rest = [t for t in tokens if t not in number[1]]
    return rest if rest and _UNIT.fullmatch(cell_text(rest)) else []
