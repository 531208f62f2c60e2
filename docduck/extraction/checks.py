"""The checks of one document's amounts: sums of totals and rows, products, and the balances of statements."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from docduck.extraction.equations import (
    TOTALS,
    explained,
    is_included,
    product_explained,
    product_holds,
    wrong_steps,
)
from docduck.extraction.fields.field_query import by_concept, query_of
from docduck.extraction.fields.phrases import Phrase
from docduck.extraction.lexicon import word_set
from docduck.extraction.result import Extras, ValueKey
from docduck.fields import NUMERIC, Field, FieldType

_ROUNDED = Decimal("0.05")
"""The smallest coin: totals are rounded to it."""
_HALF_CENT = Decimal("0.005")
_ADDED, _TAKEN = frozenset({"shipping", "tip", "rounding"}), frozenset({"discount"})
_PRODUCT = ("quantity", "unit_price", "line_total")
_MOVEMENTS = ("debit", "credit", "transaction_amount", "line_total")
_ENDS = ("opening_balance", "closing_balance")
_USED = frozenset({*_PRODUCT, *_MOVEMENTS, "running_balance"})
RULES = frozenset({
    "net_plus_tax", "quantity_times_price", "sum_of_rows", "amount_due", "closing_balance", "running_balance",
    "named_sum",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the checks say, by place: ``support`` is 1 for agreement, -1 for a mismatch, and ``problems`` are
    entries of ``validation``. An equation that fails is one problem, at the least sure of its values.
    """

    support: Counter[ValueKey] = field(default_factory=Counter)
    problems: dict[ValueKey, list[dict[str, str]]] = field(default_factory=lambda: defaultdict(list))


class Checks:
    """The checks of one document's values."""

    def __init__(
        self, fields: Sequence[Field], data: Mapping[str, Any], metadata: Mapping[str, Any], extras: Extras
    ) -> None:
        self.judgement = Judgement()
        self._metadata = metadata
        self._totals: dict[str, tuple[str, Decimal]] = {}
        self._named_totals: dict[str, Decimal] = {}
        terms: list[Decimal] = []
        unnamed: list[Decimal] = []
        for query in map(query_of, (one for one in fields if one.type in NUMERIC)):
            value = _number(data.get(query.name))
            concept = query.concept.name if query.concept else None
            if value is None:
                continue
            if concept not in ("net_total", "grand_total"):
                self._named_totals[query.name] = value
            if concept in _ADDED | _TAKEN:
                terms.append(-abs(value) if concept in _TAKEN else value)
            elif concept is None or concept in self._totals:
                unnamed += [abs(value)] if query.type is FieldType.CURRENCY else []
            else:
                self._totals[concept] = query.name, value
        self._terms = _different([*terms, *map(_decimal, extras.totals)])
        self._unnamed = _different([*unnamed, *map(_decimal, extras.unnamed)])
        self._beside = _different(map(_decimal, extras.rows))
        self._check_tax()
        self._check_due()
        self._summed = _summed([one for one in fields if one.type is FieldType.TABLE and data.get(one.name)])
        for table in fields:
            rows = data.get(table.name) if table.type is FieldType.TABLE else None
            # The values of a field whose type has changed are no rows.
            if isinstance(rows, list) and rows and all(isinstance(row, Mapping) for row in rows):
                self._check_table(table, rows)
                self._check_statement(table, rows)
                self._check_named_sums(table, rows)

    def _report(self, places: Sequence[ValueKey], rule: str, message: str, shown: int | None = None) -> bool:
        """Report an equation that fails at the least sure of its first ``shown`` places, of all by default.

        What a file states as data is not doubted.
        """
        entries = [(entry, place) for place in places if (entry := self._entry(place))]
        if all(entry.get("source") == "structured" for entry, _ in entries):
            return False
        _, place = min(entries[:shown], key=lambda pair: _sureness(pair[0]))
        self.judgement.problems[place].append({"rule": rule, "message": message})
        return True

    def _entry(self, place: ValueKey) -> Mapping[str, Any] | None:
        entry = self._metadata.get(place[0])
        if len(place) == 1:
            return entry if isinstance(entry, Mapping) else None
        rows = entry if isinstance(entry, list) else ()
        return rows[place[1]].get(place[2]) if place[1] < len(rows) else None

    def _explains(self, gap: Decimal, known: Collection[Decimal], tolerance: Decimal) -> bool:
        """Return whether further terms add up to what a sum lacks; ``known`` amounts are none."""
        unnamed = [term for term in self._unnamed if term not in map(abs, known)]
        return explained(gap, self._terms, unnamed, tolerance)

    def _check_tax(self) -> None:
        """Check that net and tax make the total; that they do supports values when they are chosen."""
        if any(name not in self._totals for name in TOTALS):
            return
        (_, net), (_, tax), (_, gross) = three = [self._totals[name] for name in TOTALS]
        if self._explains(gross - net - tax, (net, tax, gross), _ROUNDED):
            return
        if net == gross and is_included(tax, gross):
            return
        places: list[ValueKey] = [(name,) for name, _ in reversed(three)]
        message = f"Net {net} and tax {tax} make {net + tax}, but the total reads {gross}"
        if self._report(places, "net_plus_tax", message):
            self.judgement.support.subtract(places)

    def _check_due(self) -> None:
        """Check that the amount due is the total without what was paid."""
        if any(name not in self._totals for name in ("grand_total", "amount_due")):
            return
        (total_name, total), (due_name, due) = (self._totals[name] for name in ("grand_total", "amount_due"))
        _, paid = self._totals.get("amount_paid", ("", Decimal(0)))
        if any(self._explains(total - part - due, (), _ROUNDED) for part in (Decimal(0), paid)):
            return
        message = f"The amount due reads {due}, but nothing leads to it from the total {total}"
        self._report([(due_name,), (total_name,)], "amount_due", message)

    def _check_table(self, table: Field, rows: Sequence[Mapping[str, Any]]) -> None:
        """Check the products of a table's rows, and the sum of the rows.

        What a page doesn't print may cause a difference, too, so a mismatch doesn't lower confidence.
        """
        names = amount_columns(table)
        if "line_total" not in names:
            return
        numeric = [column.name for column in table.columns if column.type in NUMERIC]
        used = {names[concept] for concept in _PRODUCT if concept in names}
        supported: set[ValueKey] = set()
        for number, row in enumerate(rows):
            three = [_number(row.get(names.get(concept, ""))) for concept in _PRODUCT]
            quantity, price, total = three
            if quantity is None or price is None or total is None:
                continue
            places: list[ValueKey] = [(table.name, number, names[concept]) for concept in reversed(_PRODUCT)]
            if product_holds(quantity, price, total):
                supported.update(places)
                continue
            others = [_number(row.get(name)) for name in numeric if name not in used]
            beside = [*(value for value in others if value is not None), *self._beside]
            if not product_explained(quantity, price, total, beside):
                self._report(places, "quantity_times_price", f"{quantity} × {price} is not {total}")
        if table.name in self._summed:
            supported |= self._check_sum(table, rows, names["line_total"])
        self.judgement.support.update(supported)

    def _check_sum(self, table: Field, rows: Sequence[Mapping[str, Any]], summed: str) -> set[ValueKey]:
        """Check that the rows make a total; return the places of what agrees. Rows are net or gross."""
        values = [value for row in rows if (value := _number(row.get(summed))) is not None]
        totals = [self._totals[name] for name in ("net_total", "grand_total") if name in self._totals]
        if not totals or len(values) < len(rows):
            return set()
        row_sum, tolerance = sum(values, Decimal(0)), _ROUNDED + _HALF_CENT * len(values)
        known = [total for _, total in totals]
        agreeing = [name for name, total in totals if self._explains(total - row_sum, known, tolerance)]
        cells: list[ValueKey] = [(table.name, number, summed) for number in range(len(rows))]
        if agreeing:
            return {(name,) for name in agreeing} | set(cells)
        if "tax_total" in self._totals and "grand_total" in self._totals:
            untaxed = self._totals["grand_total"][1] - self._totals["tax_total"][1]
            if self._explains(untaxed - row_sum, known, tolerance):
                return set()
        name, total = totals[0]
        message = f"The rows sum to {row_sum}, but the total reads {total}"
        self._report([(name,), *cells], "sum_of_rows", message, shown=1)
        return set()

    def _check_named_sums(self, table: Field, rows: Sequence[Mapping[str, Any]]) -> None:
        """Check that what is called the total of a table or column is its sum: "Total deductions"."""
        for name, total in self._named_totals.items():
            column = _summed_column(table, name)
            values = [_number(row.get(column)) for row in rows] if column else []
            known = [value for value in values if value is not None]
            if column is None or not known:
                continue
            row_sum = sum(known, Decimal(0))
            if abs(abs(total) - abs(row_sum)) <= _ROUNDED + _HALF_CENT * len(known):
                continue
            cells: list[ValueKey] = [(table.name, number, column) for number in range(len(rows))]
            message = f"The rows of '{column}' sum to {row_sum}, but '{name}' reads {total}"
            self._report([(name,), *cells], "named_sum", message, shown=1)

    def _check_statement(self, table: Field, rows: Sequence[Mapping[str, Any]]) -> None:
        """Check that the movements of an account lead from each balance to the next, and to the last."""
        names = amount_columns(table)
        parts = [names[concept] for concept in _MOVEMENTS if concept in names]
        opening, closing = (self._totals.get(name, ("", None)) for name in _ENDS)
        movements = [_movement(row, names) for row in rows]
        if balance := names.get("running_balance"):
            balances = [_number(row.get(balance)) for row in rows]
            for number in wrong_steps(opening[1], balances, movements):
                places: list[ValueKey] = [(table.name, number, name) for name in (balance, *parts)]
                message = f"A movement of {movements[number]} doesn't lead to the balance {balances[number]}"
                self._report(places, "running_balance", message)
        known = [movement for movement in movements if movement is not None]
        if opening[1] is None or closing[1] is None or len(known) < len(rows):
            return
        is_signed = "debit" in names or "credit" in names or min(known) < 0 < max(known)
        moved = sum(known, Decimal(0))
        # The opening balance may have been paid since, outside of the table.
        changes = (closing[1] - opening[1], closing[1])
        gaps = (change - by for change in changes for by in (moved, -moved))
        if is_signed and not any(self._explains(gap, (), _ROUNDED) for gap in gaps):
            ends: list[ValueKey] = [(closing[0],), (opening[0],)]
            cells: list[ValueKey] = [(table.name, at, name) for at in range(len(rows)) for name in parts]
            message = f"The balance {opening[1]} and movements of {moved} do not make {closing[1]}"
            self._report([*ends, *cells], "closing_balance", message, shown=len(ends))


def _summed_column(table: Field, name: str) -> str | None:
    """Return the column of amounts whose sum a field is by its name: that of the column or the table."""
    words = Phrase.of(name).words
    rest = set(words) - word_set("sum_words")
    amounts = [column.name for column in table.columns if column.type is FieldType.CURRENCY]
    if len(rest) == len(set(words)):
        return None
    named = [column for column in amounts if rest and rest == set(Phrase.of(column).words)]
    whole = amounts if len(amounts) == 1 and rest >= set(Phrase.of(table.name).words) else []
    return next(iter([*named, *whole]), None)


def _summed(tables: Sequence[Field]) -> Collection[str]:
    """Return the names of the tables whose amounts make up the totals: items, or the only amounts."""
    columns = {table.name: amount_columns(table).keys() for table in tables}
    amounts = {
        name: some for name, some in columns.items() if "line_total" in some and "running_balance" not in some
    }
    items = [name for name, some in amounts.items() if some & {"quantity", "unit_price"}]
    return items if len(items) == 1 else amounts if len(amounts) == 1 else ()


def _movement(row: Mapping[str, Any], names: Mapping[str, str]) -> Decimal | None:
    """Return by how much a row of a statement changes the balance; what is paid out is negative."""
    debit, credit, *others = (_number(row.get(names.get(concept, ""))) for concept in _MOVEMENTS)
    if debit is None and credit is None:
        return next((amount for amount in others if amount is not None), None)
    return abs(credit or Decimal(0)) - abs(debit or Decimal(0))


def _sureness(entry: Mapping[str, Any]) -> tuple[bool, float]:
    return bool(entry.get("edited")), round(entry.get("confidence") or 0.0, 2)


def amount_columns(table: Field) -> dict[str, str]:
    """Return the names of the columns that take part in the arithmetic, by concept."""
    columns = by_concept(query_of(table).columns)
    return {concept: column.name for concept, column in columns.items() if concept in _USED}


def _number(value: Any) -> Decimal | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return _decimal(value) if is_number else None


def _different(numbers: Iterable[Decimal]) -> list[Decimal]:
    return list(dict.fromkeys(numbers))


def _decimal(value: float) -> Decimal:
    return Decimal(str(value))
