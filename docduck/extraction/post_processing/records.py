"""Values of an extraction with their metadata, read and written field by field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from docduck.extraction.post_processing.steps import FieldRef
from docduck.extraction.result import CONFIDENCE_DIGITS, Extraction, Source, no_evidence
from docduck.extraction.values.typed_values import is_missing
from docduck.fields import Field, FieldType

_Cells = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    """The fields of a document, together with a row of one of its tables if there is one."""

    fields: tuple[_Cells, _Cells]
    row: tuple[_Cells, _Cells] | None = None

    def value(self, ref: FieldRef) -> Any:
        """Return the value; None for every kind of missing value."""
        value = self._place(ref)[0].get(ref.field.name)
        return None if is_missing(value) else value

    def confidence(self, ref: FieldRef) -> float | None:
        """Return the confidence of the value."""
        entry = self._place(ref)[1].get(ref.field.name)
        return entry["confidence"] if entry else None

    def write(self, ref: FieldRef, value: Any, source: Source, confidence: float | None) -> None:
        """Set the value; its locations and ``rawText`` stay, and it is no longer reported as not found."""
        data, metadata = self._place(ref)
        entry = {**(metadata.get(ref.field.name) or no_evidence())}
        problems = [problem for problem in entry.pop("validation", ()) if problem["rule"] != "required"]
        if problems:
            entry["validation"] = problems
        rounded = None if confidence is None else round(confidence, CONFIDENCE_DIGITS)
        metadata[ref.field.name] = {**entry, "source": source, "confidence": rounded}
        data[ref.field.name] = value

    def clear(self, ref: FieldRef, source: Source) -> None:
        """Remove the value with its evidence; ``source`` is what removed it."""
        data, metadata = self._place(ref)
        data[ref.field.name] = [] if ref.field.type is FieldType.LIST else None
        metadata[ref.field.name] = {**no_evidence(), "source": source}

    def _place(self, ref: FieldRef) -> tuple[_Cells, _Cells]:
        if ref.table is None:
            return self.fields
        assert self.row is not None, "a column belongs to a row"
        return self.row


def records(extraction: Extraction, table: Field | None) -> Iterator[Record]:
    """Yield a record for each row of ``table``, or one for the document without a table."""
    fields = extraction.data, extraction.field_metadata
    if table is None:
        yield Record(fields)
        return
    rows = extraction.data.get(table.name) or []
    entries = extraction.field_metadata.setdefault(table.name, [])
    entries += [{} for _ in rows[len(entries) :]]
    for row, entry in zip(rows, entries, strict=True):
        yield Record(fields, (row, entry))
