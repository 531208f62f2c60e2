"""A document's values as its page shows them: texts, with confidence and places."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from docduck.fields import Field, FieldType
from docduck.service.corrections.entered_values import shown_text
from docduck.service.documents.doubts import problems_of, read_confidence, reasons_of

Level = Literal["low", "high", "none"]

_NOWHERE: tuple[float, ...] = (math.inf,)
_NO_TEACHERS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Teacher:
    """The document from which a value was learned."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A value or a cell: its text, how sure it is, and its places as ``page:left,top,width,height``.

    ``path`` is its field's id, or ``table.row.column`` with the number of the row from 0. ``reasons`` are why
    a person should look at it, ``problems`` the checks that it fails. ``is_passed`` is set if a reviewer of
    an earlier stage took it as right.
    """

    path: str
    text: str
    level: Level
    percent: int | None
    places: str
    is_edited: bool
    is_passed: bool
    problems: Sequence[str]
    reasons: Sequence[str]
    at: tuple[float, ...] = _NOWHERE
    """Where its first place is, in the order of reading."""
    learned_from: Teacher | None = None


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field that is no table, with its value."""

    field: Field
    value: ShownValue


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table field with its rows; ``problems`` are the checks that it fails as a whole."""

    field: Field
    rows: tuple[tuple[ShownValue, ...], ...]
    problems: Sequence[str]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A value to look at: of a ``field``, or a cell, called ``name``."""

    value: ShownValue
    name: str
    field: ShownField | None = None


def shown_fields(
    fields: Sequence[Field],
    data: Mapping[str, Any],
    evidence: Mapping[str, Any],
    below: float,
    teachers: Mapping[str, str] = _NO_TEACHERS,
    earlier: Collection[str] = (),
) -> tuple[list[ShownField], list[ShownTable]]:
    """Return the fields and the tables; a confidence below ``below`` is low.

    ``teachers`` are the names of documents from which values were learned, by id, ``earlier`` the reviewers
    of earlier stages.
    """
    shown = partial(_shown, below=below, earlier=earlier)
    plain = [
        ShownField(
            field,
            shown(field, str(field.id), data.get(field.name), evidence.get(field.name), teachers=teachers),
        )
        for field in fields
        if field.type is not FieldType.TABLE
    ]
    tables = [
        _table(field, data.get(field.name) or (), evidence.get(field.name) or (), shown)
        for field in fields
        if field.type is FieldType.TABLE
    ]
    return plain, tables


def doubts_of(fields: Sequence[ShownField], tables: Sequence[ShownTable]) -> list[Doubt]:
    """Return the values to look at in the order of the pages, those without a place last."""
    doubts = [Doubt(shown.value, shown.field.name, shown) for shown in fields if shown.value.reasons]
    doubts += [
        Doubt(cell, f"{table.field.name}, row {number}: {column.name}")
        for table in tables
        for number, row in enumerate(table.rows, start=1)
        for column, cell in zip(table.field.columns, row, strict=True)
        if cell.reasons
    ]
    return sorted(doubts, key=lambda doubt: doubt.value.at)


def problems_at(fields: Sequence[ShownField], tables: Sequence[ShownTable]) -> dict[str, Sequence[str]]:
    """Return the failed checks of all values by path, and those of tables as a whole by the table's id."""
    cells = (cell for table in tables for row in table.rows for cell in row)
    values = (*(field.value for field in fields), *cells)
    failed = {value.path: value.problems for value in values if value.problems}
    return failed | {str(table.field.id): table.problems for table in tables if table.problems}


def _table(
    table: Field,
    rows: Sequence[Mapping[str, Any]],
    evidence: Sequence[Mapping[str, Any]],
    shown: Callable[..., ShownValue],
) -> ShownTable:
    return ShownTable(
        table,
        tuple(
            tuple(
                shown(
                    column,
                    f"{table.id}.{number}.{column.id}",
                    row.get(column.name),
                    cells.get(column.name),
                )
                for column in table.columns
            )
            for number, (row, cells) in enumerate(zip(rows, evidence, strict=True))
        ),
        problems_of(table, rows or None, None),
    )


def _shown(
    field: Field,
    path: str,
    value: Any,
    entry: Mapping[str, Any] | None,
    *,
    below: float,
    earlier: Collection[str],
    teachers: Mapping[str, str] = _NO_TEACHERS,
) -> ShownValue:
    evidence = entry or {}
    reasons = reasons_of(field, value, evidence, below, earlier)
    is_edited = bool(evidence.get("edited"))
    is_passed = is_edited and bool(reasons)
    text, confidence = shown_text(field, value), evidence.get("confidence")
    if is_passed:
        confidence = read_confidence(evidence)
    level: Level = "none"
    if text and confidence is not None:
        level = "low" if confidence < below else "high"
    elif is_passed:
        level = "low"
    locations = evidence.get("locations") or ()
    teacher = str(evidence.get("learnedFrom"))
    return ShownValue(
        path,
        text,
        level,
        None if confidence is None or not text else math.floor(100 * confidence),
        " ".join(place_text(item["page"], item["bbox"]) for item in locations),
        is_edited and not is_passed,
        is_passed,
        problems_of(field, value, evidence),
        reasons,
        _at(locations[0]) if locations else _NOWHERE,
        Teacher(teacher, teachers[teacher]) if teacher in teachers else None,
    )


def _at(location: Mapping[str, Any]) -> tuple[float, ...]:
    """Return the page, the line and the left of a place; words of a line differ by a little in their tops."""
    box = location["bbox"]
    return location["page"], round(box["top"], 2), box["left"]


def place_text(page: int, box: Mapping[str, float]) -> str:
    """Return a place as scripts read it: ``page:left,top,width,height``."""
    return f"{page}:{box['left']},{box['top']},{box['width']},{box['height']}"
