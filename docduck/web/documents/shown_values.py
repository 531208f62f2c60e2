"""A document's values as its page shows them: texts, with confidence and places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from docduck.fields import Field, FieldType
from docduck.service.corrections.entered_values import shown_text

Level = Literal["low", "medium", "high", "none"]

_MEDIUM = 0.9
"""Confidence from which a value need not be looked at."""


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A value or a cell: its text, how sure it is, and its places as ``page:left,top,width,height``."""

    text: str
    level: Level
    percent: int | None
    places: str
    is_edited: bool
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field that is no table, with its value; ``needs_look`` if a person should look at it first."""

    id: str
    name: str
    type: str
    options: tuple[str, ...]
    is_required: bool
    value: ShownValue

    @property
    def needs_look(self) -> bool:
        """Whether the value is unsure, missing though it is required, or contradicts others."""
        missing = self.is_required and not self.value.text
        return missing or bool(self.value.problems) or self.value.level == "low"


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A column of a table."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table field with its rows."""

    id: str
    name: str
    columns: tuple[ShownColumn, ...]
    rows: tuple[tuple[ShownValue, ...], ...]


def shown_fields(
    fields: Sequence[Field], data: Mapping[str, Any], evidence: Mapping[str, Any], floor: float
) -> tuple[list[ShownField], list[ShownTable]]:
    """Return the fields, those to look at first, and the tables; a confidence below ``floor`` is low."""
    plain = [
        ShownField(
            str(field.id),
            field.name,
            field.type.value,
            tuple(field.options),
            field.required,
            _shown(field, data.get(field.name), evidence.get(field.name), floor),
        )
        for field in fields
        if field.type is not FieldType.TABLE
    ]
    tables = [
        _table(field, data.get(field.name) or (), evidence.get(field.name) or (), floor)
        for field in fields
        if field.type is FieldType.TABLE
    ]
    return sorted(plain, key=lambda field: not field.needs_look), tables


def _table(
    table: Field, rows: Sequence[Mapping[str, Any]], evidence: Sequence[Mapping[str, Any]], floor: float
) -> ShownTable:
    return ShownTable(
        str(table.id),
        table.name,
        tuple(ShownColumn(str(column.id), column.name) for column in table.columns),
        tuple(
            tuple(
                _shown(column, row.get(column.name), cells.get(column.name), floor)
                for column in table.columns
            )
            for row, cells in zip(rows, evidence, strict=True)
        ),
    )


def _shown(field: Field, value: Any, entry: Mapping[str, Any] | None, floor: float) -> ShownValue:
    evidence = entry or {}
    text, confidence = shown_text(field, value), evidence.get("confidence")
    level: Level = "none"
    if text and confidence is not None:
        level = "low" if confidence < floor else "medium" if confidence < _MEDIUM else "high"
    return ShownValue(
        text,
        level,
        None if confidence is None or not text else round(100 * confidence),
        " ".join(place_text(item["page"], item["bbox"]) for item in evidence.get("locations") or ()),
        bool(evidence.get("edited")),
        tuple(item["message"] for item in evidence.get("validation") or ()),
    )


def place_text(page: int, box: Mapping[str, float]) -> str:
    """Return a place as scripts read it: ``page:left,top,width,height``."""
    return f"{page}:{box['left']},{box['top']},{box['width']},{box['height']}"
