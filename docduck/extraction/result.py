"""The result of an extraction: values, each with its location and confidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from docduck.documents.document import Box
from docduck.errors import NotFound
from docduck.extraction.model_usage import ModelUsage
from docduck.fields import Field, FieldType

if TYPE_CHECKING:
    import polars as pl

    from docduck.extraction.confidence import Evidence

CONFIDENCE_DIGITS = 4

Source = Literal["text", "ai", "structured", "learned", "lookup", "transform", "user"]


ValueKey = tuple[str] | tuple[str, int, str]
"""A field's name, or those of a table, a row (from 0) and a column."""


@dataclass(frozen=True, slots=True)
class Location:
    """A place that shows a value: page from 1, box in 0–1, and its words."""

    page: int
    box: Box
    text: str

    def as_json(self) -> dict[str, Any]:
        b = self.box
        return {
            "page": self.page,
            "bbox": {
                "left": round(b.left, 5),
                "top": round(b.top, 5),
                "width": round(b.width, 5),
                "height": round(b.height, 5),
            },
            "text": self.text,
        }


@dataclass(slots=True)
class Finding:
    """A value with its evidence. ``value`` is JSON-ready: str, int, float, bool, list of str or None.

    Numbers of type number and currency are floats rounded to what the page shows; dates are ISO
    ``YYYY-MM-DD``. ``confidence`` is the probability, 0–1, that the value is right, and ``evidence`` what it
    was computed from. ``learned_from`` is the id of the document that taught the value or its place.
    """

    value: Any
    confidence: float
    locations: tuple[Location, ...] = ()
    raw_text: str | None = None
    source: Source = "text"
    validation: list[dict[str, str]] = field(default_factory=list)
    evidence: Evidence | None = None
    learned_from: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the entry of ``field_metadata``."""
        entry = {
            **no_evidence(),
            "confidence": round(self.confidence, CONFIDENCE_DIGITS),
            "page": self.locations[0].page if self.locations else None,
            "locations": [place.as_json() for place in self.locations],
            "rawText": self.raw_text,
            "source": self.source,
        }
        if self.learned_from:
            entry["learnedFrom"] = self.learned_from
        if self.validation:
            entry["validation"] = self.validation
        return entry


def no_evidence() -> dict[str, Any]:
    """Return the ``field_metadata`` entry of a value that was not found."""
    return {
        "confidence": None,
        "page": None,
        "locations": [],
        "rawText": None,
        "source": None,
        "edited": False,
        "editedBy": None,
        "editedAt": None,
    }


@dataclass(slots=True)
class PageFacts:
    """A page: number from 1, size in points, and where its words come from.

    ``turn`` is ``Page.turn``: by how many degrees clockwise it was turned to be upright.
    """

    number: int
    width: float
    height: float
    source: Literal["text", "ocr", "none"]
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class Extras:
    """Numbers on the pages that may be terms of the sums that a document's values make.

    ``totals`` stand among the totals with a label that says what they are: shipping, a discount, which is
    negative. ``unnamed`` are other amounts there. ``rows`` are further numbers in the rows of tables.
    """

    totals: tuple[float, ...] = ()
    unnamed: tuple[float, ...] = ()
    rows: tuple[float, ...] = ()

    @classmethod
    def from_json(cls, stored: Mapping[str, Sequence[float]] | Sequence[float] | None) -> Extras:
        """Return what ``as_json`` made; a list is that of the totals."""
        if not isinstance(stored, Mapping):
            return cls(tuple(stored or ()))
        return cls(*(tuple(stored[name]) for name in ("totals", "unnamed", "rows")))

    def as_json(self) -> dict[str, list[float]]:
        """Return what a database keeps."""
        return {"totals": list(self.totals), "unnamed": list(self.unnamed), "rows": list(self.rows)}

    def __add__(self, other: Extras) -> Extras:
        return Extras(self.totals + other.totals, self.unnamed + other.unnamed, self.rows + other.rows)

    def filtered(self, is_kept: Callable[[float], bool]) -> Extras:
        """Return those that are kept."""
        return Extras(*(tuple(filter(is_kept, some)) for some in (self.totals, self.unnamed, self.rows)))


@dataclass(slots=True)
class Extraction:
    """The result for one document.

    ``data`` is keyed by field name: a scalar value, a list of str, or for a table a list of
    ``{column name: value}``; what was not found is None (``[]`` for lists and tables).
    ``field_metadata`` mirrors it; ``complete`` adds the entries of what was not found, and ``fields``.
    ``usage`` is the language model's, if one was used. ``extras`` are further numbers for the checks.
    """

    data: dict[str, Any]
    field_metadata: dict[str, Any]
    markdown: str
    pages: list[PageFacts]
    page_count: int
    content_type: str
    warnings: list[str] = field(default_factory=list)
    confidence: float | None = None
    usage: ModelUsage | None = None
    fields: tuple[Field, ...] = ()
    extras: Extras = field(default_factory=Extras)

    def frame(self, table: str | None = None) -> pl.DataFrame:
        """Return a table's rows as a polars frame with typed columns; without a name, the other values.

            extraction.frame("Line Items").filter(pl.col("Amount") > 100)

        Raise NotFound if no table field has this name.
        """
        # Imported late: workers, which make no frames, have little memory.
        from docduck.frames import frame_of

        if table is None:
            return frame_of(self.fields, [self.data])
        tables = {field.name: field for field in self.fields if field.type is FieldType.TABLE}
        if table not in tables:
            known = ", ".join(tables) or "none"
            raise NotFound(f"There is no table '{table}'; known are: {known}", "table", table)
        return frame_of(tables[table].columns, self.data[table])

    def complete(self, fields: Iterable[Field]) -> Extraction:
        """Return the same with ``fields``, and an entry in ``field_metadata`` for every value in ``data``."""
        own = tuple(fields)
        entries = {field.name: self._entry(field) for field in own}
        return replace(self, field_metadata=entries, fields=own)

    def _entry(self, field: Field) -> Any:
        entry = self.field_metadata.get(field.name)
        if field.type is not FieldType.TABLE:
            return entry or no_evidence()
        names = [column.name for column in field.columns]
        return [{name: row.get(name) or no_evidence() for name in names} for row in entry or ()]
