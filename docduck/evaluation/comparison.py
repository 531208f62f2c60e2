"""Which of a document's values were read right: values compared by their type.

Text is compared without case, accents' form, spaces and punctuation; numbers by their value to two
decimals; dates as ISO. A list counts item by item, a table cell by cell after its rows were paired so
that most cells agree.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

from docduck.fields import Field, FieldType

_NUMERIC = (FieldType.NUMBER, FieldType.CURRENCY)
_Row = Mapping[str, Any]


class Grade(StrEnum):
    """What became of a value: ``invented`` is one that was given where the truth has none."""

    RIGHT = "right"
    WRONG = "wrong"
    MISSING = "missing"
    INVENTED = "invented"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One value, item of a list or cell of a table, as it should be and as it was read.

    ``evidence`` is its entry in the field metadata (contract A9), None where nothing was read.
    """

    field: str
    column: str | None
    kind: FieldType
    outcome: Grade
    truth: Any
    found: Any
    evidence: Mapping[str, Any] | None = None

    @property
    def name(self) -> str:
        """The field, with the column of a table after a dot."""
        return f"{self.field}.{self.column}" if self.column else self.field

    @property
    def missed(self) -> bool:
        """Whether it was not right."""
        return self.outcome is not Grade.RIGHT

    @property
    def confidence(self) -> float | None:
        """What the reading gave as the probability of being right."""
        return None if self.evidence is None else self.evidence.get("confidence")


def compare_values(field: Field, truth: Any, found: Any, metadata: Any = None) -> list[Comparison]:
    """Return every value of a field that the truth or the reading has; ``metadata`` is the field's entry."""
    if field.type is FieldType.TABLE:
        return list(_judge_table(field, truth or [], found or [], metadata or []))
    if field.type is FieldType.LIST:
        return list(_judge_list(field, truth or [], found or [], metadata))
    outcome = _outcome(field.type, truth, found)
    return [Comparison(field.name, None, field.type, outcome, truth, found, metadata)] if outcome else []


def normal(kind: FieldType, value: Any) -> Any:
    """Return a value in the form in which it is compared; None for no value."""
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


def _outcome(kind: FieldType, truth: Any, found: Any) -> Grade | None:
    """None where neither has a value."""
    wanted, given = normal(kind, truth), normal(kind, found)
    if wanted is None:
        return None if given is None else Grade.INVENTED
    if given is None:
        return Grade.MISSING
    return Grade.RIGHT if given == wanted else Grade.WRONG


def _judge_list(
    field: Field, truth: Sequence[Any], found: Sequence[Any], metadata: Any
) -> Iterator[Comparison]:
    wanted = Counter(normal(FieldType.LIST, item) for item in truth)
    for item in found:
        norm = normal(FieldType.LIST, item)
        if norm is None:
            continue
        right = wanted[norm] > 0
        wanted[norm] -= right
        outcome = Grade.RIGHT if right else Grade.INVENTED
        yield Comparison(field.name, None, field.type, outcome, item if right else None, item, metadata)
    for item in truth:
        norm = normal(FieldType.LIST, item)
        if norm is not None and wanted[norm] > 0:
            wanted[norm] -= 1
            yield Comparison(field.name, None, field.type, Grade.MISSING, item, None)


def _judge_table(
    table: Field, truth: Sequence[_Row], found: Sequence[_Row], metadata: Sequence[_Row]
) -> Iterator[Comparison]:
    wanted = [[normal(c.type, row.get(c.name)) for c in table.columns] for row in truth]
    given = [[normal(c.type, row.get(c.name)) for c in table.columns] for row in found]
    for i, j in _paired(wanted, given):
        true_row, found_row = truth[i] if i is not None else {}, found[j] if j is not None else {}
        cells = metadata[j] if j is not None and j < len(metadata) else {}
        for column in table.columns:
            true, read = true_row.get(column.name), found_row.get(column.name)
            if outcome := _outcome(column.type, true, read):
                yield Comparison(
                    table.name, column.name, column.type, outcome, true, read, cells.get(column.name)
                )


def _paired(wanted: list[list[Any]], given: list[list[Any]]) -> list[tuple[int | None, int | None]]:
    """Return rows of both sides in pairs, the most alike first; one without a partner is paired with None."""
    left, right = set(range(len(wanted))), set(range(len(given)))
    # Equal rows need no comparing with all others, which takes long on a long table.
    pairs: list[tuple[int | None, int | None]] = []
    places: dict[tuple[Any, ...], deque[int]] = {}
    for j, other in enumerate(given):
        places.setdefault(tuple(other), deque()).append(j)
    for i, row in enumerate(wanted):
        if same := places.get(tuple(row)):
            j = same.popleft()
            left.discard(i)
            right.discard(j)
            pairs.append((i, j))
    alike = sorted(
        (-sum(a is not None and a == b for a, b in zip(wanted[i], given[j], strict=True)), abs(i - j), i, j)
        for i in left
        for j in right
    )
    for _, _, i, j in alike:
        if i in left and j in right:
            left.discard(i)
            right.discard(j)
            pairs.append((i, j))
    pairs += [(i, None) for i in sorted(left)]
    pairs += [(None, j) for j in sorted(right)]
    return pairs
