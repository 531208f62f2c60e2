"""Arithmetic checks of a document's values, and the confidence that follows from them.

``checked`` is called with the values as they are: when a document has been read and post-processed, and again
after every change of its values.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import combinations
from typing import Any

from docduck.extraction.confidence import mean_confidence, supported
from docduck.extraction.fields.field_query import by_concept, query_of
from docduck.extraction.result import CONFIDENCE_DIGITS, Extraction, ValueKey
from docduck.fields import Field, FieldType

TOLERANCE = Decimal("0.02")
_ROUNDING = Decimal("0.011")
_MAX_EXTRAS = 6
"""Maximum number of extras that are combined."""
_TAXED = ("net_total", "tax_total", "grand_total")
_SUMS = ("net_total", "grand_total")
"""Totals that the rows may sum to: rows are net on invoices, gross on receipts."""
_ADDED, _TAKEN = ("shipping", "tip", "rounding"), ("discount",)
_PRODUCT = ("quantity", "unit_price", "line_total")
_RULES = frozenset({"net_plus_tax", "quantity_times_price", "sum_of_rows"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the checks say, by place: ``support`` is 1 for agreement, -1 for a mismatch, and ``problems`` are
    entries of ``validation``.
    """

    support: Counter[ValueKey] = field(default_factory=Counter)
    problems: dict[ValueKey, list[dict[str, str]]] = field(default_factory=lambda: defaultdict(list))

    def report(self, places: Iterable[ValueKey], rule: str, message: str) -> None:
        """Add a problem of ``places``."""
        for place in places:
            self.problems[place].append({"rule": rule, "message": message})


def explained(gap: Decimal, extras: Sequence[Decimal], tolerance: Decimal = TOLERANCE) -> bool:
    """Return whether some of ``extras``, or none, add up to ``gap``."""
    some = extras[:_MAX_EXTRAS]
    return any(
        abs(sum(part, Decimal(0)) - gap) <= tolerance
        for count in range(len(some) + 1)
        for part in combinations(some, count)
    )


def product_holds(quantity: Decimal, price: Decimal, total: Decimal) -> bool:
    """Return whether quantity times unit price is the total, whatever the signs."""
    return abs(abs(quantity * price) - abs(total)) <= _ROUNDING


def check_extraction(
    extraction: Extraction, fields: Sequence[Field], before: Judgement | None = None
) -> Extraction:
    """Return the extraction with its values checked; ``before`` is what the checks said so far."""
    data = extraction.data
    metadata = checked(fields, data, extraction.field_metadata, extraction.extras, before or Judgement())
    return replace(extraction, field_metadata=metadata, confidence=mean_confidence(data, metadata))


def checked(
    fields: Sequence[Field],
    data: Mapping[str, Any],
    metadata: Mapping[str, Any],
    extras: Sequence[float],
    before: Judgement,
) -> dict[str, Any]:
    """Return ``metadata`` with the problems of ``data``, and confidences by what the checks say of it.

    ``extras`` are amounts on the pages that lie between net and gross besides the tax. ``before`` is what the
    checks said of the values that the confidences are from. Entries that don't change stay the same objects.
    """
    now = judge(fields, data, metadata, extras)

    def entry_of(place: ValueKey, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        problems = [problem for problem in entry.get("validation", ()) if problem["rule"] not in _RULES]
        problems += now.problems.get(place, ())
        change = now.support[place] - before.support[place]
        confidence = entry.get("confidence")
        if change and confidence is not None and not entry.get("edited"):
            confidence = round(supported(confidence, change), CONFIDENCE_DIGITS)
        if confidence == entry.get("confidence") and problems == entry.get("validation", []):
            return entry
        rest = {name: value for name, value in entry.items() if name != "validation"}
        return {**rest, "confidence": confidence} | ({"validation": problems} if problems else {})

    def row_of(table: str, number: int, row: Mapping[str, Any], names: Iterable[str]) -> Mapping[str, Any]:
        cells = {name: entry_of((table, number, name), row[name]) for name in names if row.get(name)}
        return {**row, **cells} if any(cells[name] is not row[name] for name in cells) else row

    updated = dict(metadata)
    for parser_field in fields:
        entry = metadata.get(parser_field.name)
        if parser_field.type is not FieldType.TABLE:
            if entry:
                updated[parser_field.name] = entry_of((parser_field.name,), entry)
        elif isinstance(entry, list) and (names := _columns(parser_field).values()):
            rows = [row_of(parser_field.name, number, row, names) for number, row in enumerate(entry)]
            if any(new is not old for new, old in zip(rows, entry, strict=True)):
                updated[parser_field.name] = rows
    return updated


def judge(
    fields: Sequence[Field], data: Mapping[str, Any], metadata: Mapping[str, Any], extras: Sequence[float]
) -> Judgement:
    """Return what the checks say of ``data``. Values that a file states as data are not doubted."""
    judgement = Judgement()
    amounts: dict[str, tuple[str, Decimal]] = {}
    for query in (
        query_of(parser_field) for parser_field in fields if parser_field.type is not FieldType.TABLE
    ):
        value = _number(data.get(query.name))
        if query.concept is not None and value is not None:
            amounts.setdefault(query.concept.name, (query.name, value))
    own = [amounts[name][1] for name in _ADDED if name in amounts]
    own += [-abs(amounts[name][1]) for name in _TAKEN if name in amounts]
    between = list(dict.fromkeys([*own, *(Decimal(str(extra)) for extra in extras)]))
    _judge_tax(judgement, amounts, metadata, between)
    totals = [amounts[name] for name in _SUMS if name in amounts]
    for table in fields:
        rows = data.get(table.name) if table.type is FieldType.TABLE else None
        if rows:
            _judge_table(judgement, table, rows, totals, metadata, between)
    return judgement


def _judge_tax(
    judgement: Judgement,
    amounts: Mapping[str, tuple[str, Decimal]],
    metadata: Mapping[str, Any],
    between: Sequence[Decimal],
) -> None:
    """Check that net and tax make the total; that they do supports a value when it is chosen, not here."""
    if any(name not in amounts for name in _TAXED):
        return
    (_, net), (_, tax), (_, gross) = three = [amounts[name] for name in _TAXED]
    if explained(gross - net - tax, between) or all(_is_stated(metadata.get(name)) for name, _ in three):
        return
    places: list[ValueKey] = [(name,) for name, _ in three]
    message = f"Net {net} and tax {tax} make {net + tax}, but the total reads {gross}"
    judgement.report(places, "net_plus_tax", message)
    judgement.support.subtract(places)


def _judge_table(
    judgement: Judgement,
    table: Field,
    rows: Sequence[Mapping[str, Any]],
    totals: Sequence[tuple[str, Decimal]],
    metadata: Mapping[str, Any],
    between: Sequence[Decimal],
) -> None:
    """Check the products of a table's rows, and the sum of the rows.

    Discounts, price bases and rounding cause differences too, so a mismatch is a problem but doesn't lower
    confidence.
    """
    names = _columns(table)
    if "line_total" not in names:
        return
    summed = names["line_total"]
    evidence = metadata.get(table.name) or [{}] * len(rows)
    values: list[Decimal] = []
    supported: set[ValueKey] = set()
    for number, (row, cells) in enumerate(zip(rows, evidence, strict=False)):
        total = _number(row.get(summed))
        if total is not None:
            values.append(total)
        three = [_number(row.get(names.get(concept, ""))) for concept in _PRODUCT]
        quantity, price, _ = three
        if quantity is None or price is None or total is None:
            continue
        if product_holds(quantity, price, total):
            supported.update((table.name, number, names[concept]) for concept in _PRODUCT)
        elif not all(_is_stated(cells.get(names[concept])) for concept in _PRODUCT):
            message = f"{quantity} × {price} is not {total}"
            judgement.report([(table.name, number, summed)], "quantity_times_price", message)
    if totals and len(values) == len(rows):
        row_sum = sum(values, Decimal(0))
        tolerance = TOLERANCE * max(1, len(values) // 10)
        agreeing = [name for name, total in totals if explained(total - row_sum, between, tolerance)]
        name, total = totals[0]
        if agreeing:
            supported.update((text,) for text in agreeing)
            supported.update((table.name, number, summed) for number in range(len(rows)))
        elif not all(map(_is_stated, [metadata.get(name), *(cells.get(summed) for cells in evidence)])):
            message = f"The rows sum to {row_sum}, but the total reads {total}"
            judgement.report([(name,)], "sum_of_rows", message)
    judgement.support.update(supported)


def _columns(table: Field) -> dict[str, str]:
    """Return the names of the columns that take part in the arithmetic, by concept."""
    columns = by_concept(query_of(table).columns)
    return {concept: column.name for concept, column in columns.items() if concept in _PRODUCT}


def _is_stated(entry: Any) -> bool:
    return isinstance(entry, Mapping) and entry.get("source") == "structured"


def _number(value: Any) -> Decimal | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return Decimal(str(value)) if is_number else None
