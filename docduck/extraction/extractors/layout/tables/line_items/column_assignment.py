"""Which header cell is which column: by label, and by what the values under it look like."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from docduck.extraction.extractors.layout.tables.cells import is_amount_cell, join
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.extractors.layout.tables.line_items.header_detection import Header, HeaderCell
from docduck.extraction.fields.field_targets import FieldTarget
from docduck.extraction.page.page_view import Token
from docduck.extraction.values.dates import find_dates, parse_partial
from docduck.fields import FieldType

_ANY_DAY = date(2000, 12, 31)
_ALONE, _CODES = 0.75, 0.6
"""The share of fitting cells from which values alone tell a column, and one of codes."""
_FIT = 0.35
"""What fitting values are worth beside a fitting label (1.0)."""


def assign(
    header: Header,
    columns: Sequence[FieldTarget],
    samples: dict[int, list[list[Token]]],
    context: TableContext,
) -> None:
    """Gives each header cell at most one column and each column at most one cell.

    ``samples`` are the words of some rows by cell. A column whose label is unknown takes a cell of
    unknown meaning when its values alone fit and there is no other choice.
    """
    offers = []
    for index, cell in enumerate(header.cells):
        for order, column in enumerate(columns):
            weight = cell.weight(column)
            if weight > 0:
                fits = fit(column, samples.get(index, []), context)
                if fits == 0.0 and samples.get(index):
                    weight *= 0.4
                last = bool(column.concept and column.concept.name == "line_total")
                offers.append((weight + _FIT * fits, -order, index if last else -index, cell, column))
    taken: set[str] = set()
    for _, _, _, cell, column in sorted(offers, key=lambda o: o[:3], reverse=True):
        if cell.target is None and column.name not in taken:
            cell.target = column
            taken.add(column.name)
    for column in columns:
        if column.name in taken or column.concept is None:
            continue
        name = column.concept.name
        least = _CODES if name == "sku" else _ALONE
        free = [
            cell
            for index, cell in enumerate(header.cells)
            if cell.target is None
            and _open(cell, name)
            and fit(column, samples.get(index, []), context) > least
        ]
        alone = name in ("description", "transaction_text", "quantity") and len(free) == 1
        if free and (alone or name == "sku"):
            free[0].target = column
        elif name == "line_total" and free and free[-1] is header.cells[-1]:
            free[-1].target = column


def _open(cell: HeaderCell, concept: str) -> bool:
    """Whether a cell may be taken by values alone.

    It has an unknown header, or one that also names what is asked: "Amount" a quantity, "Item" a code.
    """
    if concept == "quantity":
        return bool(cell.concepts & {"line_total", "transaction_amount"})
    if concept == "sku":
        return cell.concepts <= {"description"}
    return not cell.concepts


def fit(column: FieldTarget, cells: Sequence[Sequence[Token]], context: TableContext) -> float:
    """The share of cells, 0–1, whose words can be a value of the column."""
    filled = [cell for cell in cells if cell]
    if not filled:
        return 0.0
    return sum(_fits(column, cell, context) for cell in filled) / len(filled)


def _fits(column: FieldTarget, tokens: Sequence[Token], context: TableContext) -> float:
    text = join(tokens)
    match column.field.type:
        case FieldType.NUMBER | FieldType.CURRENCY:
            if not is_amount_cell(tokens, context):
                return 0.0
            if column.kind == "percent":
                return 1.0 if "%" in text or len(text) <= 4 else 0.4
            return 0.6 if "%" in text else 1.0
        case FieldType.DATE:
            if find_dates(text, context.locale.year_first):
                return 1.0
            return 0.8 if parse_partial(text, True, None, _ANY_DAY) else 0.0
    letters = sum(c.isalpha() for c in text)
    if column.concept and column.concept.name in ("description", "transaction_text"):
        return min(1.0, letters / 6) if letters > sum(c.isdigit() for c in text) else 0.3
    if column.kind == "identifier":
        return (
            1.0 if len(tokens) == 1 and any(c.isdigit() for c in text) else 0.4 if len(tokens) == 1 else 0.1
        )
    if column.concept and column.concept.name == "unit":
        return 1.0 if letters and len(text) <= 12 and len(tokens) <= 2 else 0.1
    return 0.7
