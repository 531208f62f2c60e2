"""How much of a document was right: values compared by their type.

Text is compared without case, accents' form, spaces and punctuation; numbers by their value to two
decimals; dates as ISO. A list counts item by item, a table cell by cell after its rows were paired so
that most cells agree.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from docduck.fields import Field, FieldType

_NUMERIC = (FieldType.NUMBER, FieldType.CURRENCY)


@dataclass(slots=True)
class FieldScore:
    """Counts of one field: true ``values``, and how many of them were right, missing or wrong.

    ``invented`` are values that were given where the truth has none.
    """

    values: int = 0
    right: int = 0
    missing: int = 0
    wrong: int = 0
    invented: int = 0

    @property
    def share(self) -> float:
        """The share of the true values that is right; 1 when there is none."""
        return self.right / self.values if self.values else 1.0

    def add(self, other: FieldScore) -> None:
        """Count ``other`` in."""
        self.values += other.values
        self.right += other.right
        self.missing += other.missing
        self.wrong += other.wrong
        self.invented += other.invented


@dataclass(slots=True)
class SuiteScore:
    """A suite's counts, by field and in all, over ``documents`` in ``seconds`` of reading."""

    documents: int = 0
    failed: int = 0
    seconds: float = 0.0
    fields: dict[str, FieldScore] = field(default_factory=dict)
    total: FieldScore = field(default_factory=FieldScore)

    def add(self, fields: Sequence[Field], truth: Mapping[str, Any], found: Mapping[str, Any]) -> None:
        """Count one document in."""
        self.documents += 1
        for one in fields:
            score = compare(one, truth.get(one.name), found.get(one.name))
            self.fields.setdefault(one.name, FieldScore()).add(score)
            self.total.add(score)


def compare(one: Field, truth: Any, found: Any) -> FieldScore:
    """The counts of one field of one document."""
    if one.type is FieldType.TABLE:
        return _compare_tables(one.columns, truth or [], found or [])
    if one.type is FieldType.LIST:
        return _compare_lists(truth or [], found or [])
    return _compare_values(normal(one.type, truth), normal(one.type, found))


def normal(kind: FieldType, value: Any) -> Any:
    """A value in the form in which it is compared; None for no value."""
    if value is None or value == "" or value == []:
        return None
    if kind in _NUMERIC:
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


def _compare_values(truth: Any, found: Any) -> FieldScore:
    if truth is None:
        return FieldScore(invented=int(found is not None))
    return FieldScore(
        values=1,
        right=int(found == truth),
        missing=int(found is None),
        wrong=int(found is not None and found != truth),
    )


def _compare_lists(truth: Sequence[Any], found: Sequence[Any]) -> FieldScore:
    wanted = Counter(normal(FieldType.LIST, item) for item in truth)
    given = Counter(normal(FieldType.LIST, item) for item in found)
    right = (wanted & given).total()
    return FieldScore(
        values=wanted.total(), right=right, missing=wanted.total() - right, invented=given.total() - right
    )


def _compare_tables(
    columns: Sequence[Field], truth: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]]
) -> FieldScore:
    wanted = [[normal(c.type, row.get(c.name)) for c in columns] for row in truth]
    given = [[normal(c.type, row.get(c.name)) for c in columns] for row in found]
    score = FieldScore()
    pairs = _paired(wanted, given)
    for row, other in pairs:
        for truth_cell, found_cell in zip(row, other, strict=True):
            score.add(_compare_values(truth_cell, found_cell))
    return score


def _paired(wanted: list[list[Any]], given: list[list[Any]]) -> list[tuple[list[Any], list[Any]]]:
    """Rows of both sides in pairs, the most alike first; one without a partner is paired with nothing."""
    width = len((wanted or given or [[]])[0])
    nothing: list[Any] = [None] * width
    left, right = set(range(len(wanted))), set(range(len(given)))
    # Equal rows need no comparing with all others, which takes long on a long table.
    pairs: list[tuple[list[Any], list[Any]]] = []
    places: dict[tuple[Any, ...], deque[int]] = {}
    for j, other in enumerate(given):
        places.setdefault(tuple(other), deque()).append(j)
    for i, row in enumerate(wanted):
        if same := places.get(tuple(row)):
            j = same.popleft()
            left.discard(i)
            right.discard(j)
            pairs.append((row, given[j]))
    alike = sorted(
        (-sum(a is not None and a == b for a, b in zip(wanted[i], given[j], strict=True)), abs(i - j), i, j)
        for i in left
        for j in right
    )
    for _, _, i, j in alike:
        if i in left and j in right:
            left.discard(i)
            right.discard(j)
            pairs.append((wanted[i], given[j]))
    pairs += [(wanted[i], nothing) for i in sorted(left)]
    pairs += [(nothing, given[j]) for j in sorted(right)]
    return pairs
