"""The steps of post-processing, with the fields that they read and write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from docduck.fields import Field

Mode = Literal["exact", "fuzzy"]
OnMissing = Literal["keep", "clear"]
MODES: tuple[Mode, ...] = ("exact", "fuzzy")
ON_MISSING: tuple[OnMissing, ...] = ("keep", "clear")


class Transform(StrEnum):
    """What a transform does to a value."""

    TRIM = "trim"
    UPPERCASE = "uppercase"
    LOWERCASE = "lowercase"
    TITLECASE = "titlecase"
    COLLAPSE_WHITESPACE = "collapse_whitespace"
    REGEX_REPLACE = "regex_replace"
    DATE_FORMAT = "date_format"
    NUMBER_FORMAT = "number_format"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class FieldRef:
    """A field, or with ``table`` a column of that table field."""

    field: Field
    table: Field | None = None

    @property
    def name(self) -> str:
        """The name in the API: ``Total``, ``Line Items.Amount``."""
        return self.field.name if self.table is None else f"{self.table.name}.{self.field.name}"

    @property
    def id(self) -> str:
        """The stored form, by ids, which survive a rename."""
        return str(self.field.id) if self.table is None else f"{self.table.id}.{self.field.id}"

    def key(self, *, by_id: bool) -> str:
        """Return the id or the name."""
        return self.id if by_id else self.name


@dataclass(frozen=True, slots=True)
class TransformStep:
    """Change ``target``; ``options`` are the transform's own, by their names in the API.

    The formats of dates and numbers are written from ``source``, if set, otherwise from the target itself.
    """

    target: FieldRef
    transform: Transform
    options: Mapping[str, Any] = field(default_factory=dict)
    source: FieldRef | None = None

    @property
    def title(self) -> str:
        """The step in messages."""
        return f"{self.transform} of '{self.target.name}'"

    def as_json(self, *, by_id: bool) -> dict[str, Any]:
        """Return the API's object, with fields by id (to store) or by name (to show)."""
        source = {} if self.source is None else {"from": self.source.key(by_id=by_id)}
        return {
            "type": "transform",
            "field": self.target.key(by_id=by_id),
            "transform": self.transform.value,
            **source,
            **self.options,
        }


@dataclass(frozen=True, slots=True)
class Pairing:
    """A field and a column of a lookup table."""

    field: FieldRef
    column: str


@dataclass(frozen=True, slots=True)
class LookupStep:
    """Find the row of ``table`` whose columns match the fields, and write other columns into fields.

    ``fuzzy`` accepts rows that are similar by at least ``threshold``. If no row matches or its cell is empty,
    the values that would be written are kept or cleared.
    """

    table: str
    match: tuple[Pairing, ...]
    write: tuple[Pairing, ...]
    mode: Mode = "exact"
    threshold: float | None = None
    on_missing: OnMissing = "keep"

    @property
    def title(self) -> str:
        """The step in messages."""
        return f"lookup in '{self.table}'"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the lookup table that the step uses."""
        return tuple(dict.fromkeys(pairing.column for pairing in (*self.match, *self.write)))

    def as_json(self, *, by_id: bool) -> dict[str, Any]:
        """Return the API's object, with fields by id (to store) or by name (to show)."""

        def pairs(pairings: tuple[Pairing, ...]) -> list[dict[str, str]]:
            return [
                {"field": pairing.field.key(by_id=by_id), "column": pairing.column} for pairing in pairings
            ]

        return {
            "type": "lookup",
            "table": self.table,
            "match": pairs(self.match),
            "write": pairs(self.write),
            "mode": self.mode,
            **({} if self.threshold is None else {"threshold": self.threshold}),
            "onMissing": self.on_missing,
        }


Step = TransformStep | LookupStep


@dataclass(frozen=True, slots=True)
class PostProcessing:
    """The steps of a parser in order, and the CSV files of the lookup tables that they use, by name.

    A file that is missing is None. ``regex_work`` and ``comparisons`` limit the work per value and document.
    """

    steps: tuple[Step, ...]
    tables: Mapping[str, bytes | None]
    regex_work: int
    comparisons: int
