"""Comparison of a document's values with their true values, by type.

Text is compared without case, accent encoding, spaces and punctuation, numbers to two decimals, dates as ISO.
A list is compared item by item, a table cell by cell after pairing its most similar rows.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

from docduck.fields import NUMERIC, Field, FieldType

_MOST_PAIRS = 250_000
"""Of rows of two tables that are compared with each other."""
_Row = Mapping[str, Any]


class Grade(StrEnum):
    """The result of comparing a value; ``invented`` is a value found where the truth has none."""

    RIGHT = "right"
    WRONG = "wrong"
    MISSING = "missing"
    INVENTED = "invented"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One value, list item or table cell, as it should be and as it was read.

    ``evidence`` is its entry in the field metadata, None if nothing was read. ``true_row`` and ``found_row``
    are the rows of a table's cell, from 0, None where one side has no such row.
    """

    field: str
    column: str | None
    kind: FieldType
    grade: Grade
    truth: Any
    found: Any
    evidence: Mapping[str, Any] | None = None
    true_row: int | None = None
    found_row: int | None = None

    @property
    def name(self) -> str:
        """The field, with the column of a table after a dot."""
        return f"{self.field}.{self.column}" if self.column else self.field

    @property
    def row(self) -> int | None:
        """The row of a cell, from 1: the true one, or that which is read if there is none."""
        row = self.found_row if self.true_row is None else self.true_row
        return None if row is None else row + 1

    @property
    def missed(self) -> bool:
        """Whether the value is not right."""
        return self.grade is not Grade.RIGHT

    @property
    def confidence(self) -> float | None:
        """The confidence of the value read."""
        return None if self.evidence is None else self.evidence.get("confidence")


def compare_values(field: Field, truth: Any, found: Any, metadata: Any = None) -> list[Comparison]:
    """Return the comparison of every value of a field; ``metadata`` is the field's entry in the metadata."""
    if field.type is FieldType.TABLE:
        return list(_compare_tables(field, truth or [], found or [], metadata or []))
    if field.type is FieldType.LIST:
        return list(_compare_lists(field, truth or [], found or [], metadata))
    grade = _grade(field.type, truth, found)
    return [Comparison(field.name, None, field.type, grade, truth, found, metadata)] if grade else []


def normal(kind: FieldType, value: Any) -> Any:
    """Return a value in the form in which it is compared, None for no value."""
    if value is None or value == "" or value == []:
        return None
    if kind in NUMERIC:
        try:
            return Decimal(str(value)).quantize(Decimal("0.01"))
        except InvalidOperation:
            return str(value)
    if kind is FieldType.BOOLEAN:
        return {"true": True, "false": False}.get(str(value).strip().casefold(), value)
    if kind is FieldType.DATE:
        return str(value)[:10]
    text = unicodedata.normalize("NFKC", str(value)).casefold()
    return "".join(c for c in text if c.isalnum()) or "".join(text.split()) or None


def _grade(kind: FieldType, truth: Any, found: Any) -> Grade | None:
    """Return the grade, None if neither side has a value."""
    expected, actual = normal(kind, truth), normal(kind, found)
    if expected is None:
        return None if actual is None else Grade.INVENTED
    if actual is None:
        return Grade.MISSING
    return Grade.RIGHT if actual == expected else Grade.WRONG


def _compare_lists(
    field: Field, truth: Sequence[Any], found: Sequence[Any], metadata: Any
) -> Iterator[Comparison]:
    expected = Counter(normal(FieldType.LIST, item) for item in truth)
    for item in found:
        norm = normal(FieldType.LIST, item)
        if norm is None:
            continue
        right = expected[norm] > 0
        expected[norm] -= right
        grade = Grade.RIGHT if right else Grade.INVENTED
        yield Comparison(field.name, None, field.type, grade, item if right else None, item, metadata)
    for item in truth:
        norm = normal(FieldType.LIST, item)
        if norm is not None and expected[norm] > 0:
            expected[norm] -= 1
            yield Comparison(field.name, None, field.type, Grade.MISSING, item, None)


def _compare_tables(
    table: Field, truth: Sequence[_Row], found: Sequence[_Row], metadata: Sequence[_Row]
) -> Iterator[Comparison]:
    expected = [[normal(c.type, row.get(c.name)) for c in table.columns] for row in truth]
    actual = [[normal(c.type, row.get(c.name)) for c in table.columns] for row in found]
    for i, j in _paired(expected, actual):
        true_row, found_row = truth[i] if i is not None else {}, found[j] if j is not None else {}
        cells = metadata[j] if j is not None and j < len(metadata) else {}
        for column in table.columns:
            true, read = true_row.get(column.name), found_row.get(column.name)
            if grade := _grade(column.type, true, read):
                evidence = cells.get(column.name)
                yield Comparison(table.name, column.name, column.type, grade, true, read, evidence, i, j)


def _paired(expected: list[list[Any]], actual: list[list[Any]]) -> list[tuple[int | None, int | None]]:
    """Return the indexes of paired rows, most similar first; a row without a partner is paired with None."""
    left, right = set(range(len(expected))), set(range(len(actual)))
    # Pair equal rows first: comparing all pairs of a long table is slow.
    pairs: list[tuple[int | None, int | None]] = []
    places: dict[tuple[Any, ...], deque[int]] = {}
    for j, other in enumerate(actual):
        places.setdefault(tuple(other), deque()).append(j)
    for i, row in enumerate(expected):
        if same := places.get(tuple(row)):
            j = same.popleft()
            left.discard(i)
            right.discard(j)
            pairs.append((i, j))
    alike = sorted(
        (
            -sum(a is not None and a == b for a, b in zip(expected[i], actual[j], strict=True)),
            abs(i - j),
            i,
            j,
        )
        for i, j in _candidates(sorted(left), sorted(right))
    )
    for _, _, i, j in alike:
        if i in left and j in right:
            left.discard(i)
            right.discard(j)
            pairs.append((i, j))
    pairs += [(i, None) for i in sorted(left)]
    pairs += [(None, j) for j in sorted(right)]
    return pairs


def _candidates(left: Sequence[int], right: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of rows to compare: all, or those near each other if these are too many."""
    most = len(left) + len(right)
    reach = most if len(left) * len(right) <= _MOST_PAIRS else _MOST_PAIRS // most
    for rank, i in enumerate(left):
        for j in right[max(0, rank - reach) : rank + reach + 1]:
            yield i, j
