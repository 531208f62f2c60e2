"""The data of a document that conditions can use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from docduck.catalog.models import Document
from docduck.extraction.values.dates import DateOrder
from docduck.service.conditions.columns import Conversion
from docduck.service.conditions.targets import ConditionTarget
from docduck.service.conditions.work_limits import Effort

Duplicates = Callable[[ConditionTarget, Any], bool]
"""Returns whether another document of the parser has the same value."""


def _no_duplicates(_target: ConditionTarget, _value: Any) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """A document's values and evidence by field id (or name), properties by ``$name``, and custom data.

    ``duplicates`` is only called for ``is_duplicate``. ``date_order`` applies to printed dates in conditions
    and text fields.
    """

    values: Mapping[str, Any]
    evidence: Mapping[str, Any] = field(default_factory=dict)
    properties: Mapping[str, Any] = field(default_factory=dict)
    custom: Mapping[str, Any] | None = None
    duplicates: Duplicates = _no_duplicates
    date_order: DateOrder = "auto"
    _converted: dict[tuple[str, Conversion], list[Any]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def converted(self, target: ConditionTarget, convert: Conversion, effort: Effort) -> list[Any]:
        """Return ``cells`` after ``convert``, which is called once for each; raise OutOfTime."""
        key = target.ref, convert
        if key not in self._converted:
            values = []
            for cell in self.cells(target):
                effort.check()
                values.append(convert(cell))
            self._converted[key] = values
        return self._converted[key]

    def cells(self, target: ConditionTarget) -> list[Any]:
        """Return the target's values: one per row for a column, otherwise exactly one (which may be None)."""
        if target.field_id is None:
            return [self._property(target)]
        value = _keyed(self.values, target.field_id, target.field_name)
        if target.column_id is None:
            return [value]
        return _column(value, target) if isinstance(value, list) else []

    def confidences(self, target: ConditionTarget) -> Iterator[float]:
        """Yield the confidence of each of ``cells``, or 0."""
        entry = _keyed(self.evidence, target.field_id, target.field_name)
        if target.column_id is None:
            yield _confidence(entry)
            return
        if isinstance(entry, Mapping):
            # One entry for all cells.
            yield from (_confidence(entry) for _ in self.cells(target))
            return
        entries = _column(entry, target) if isinstance(entry, list) else []
        for number, _ in enumerate(self.cells(target)):
            yield _confidence(entries[number] if number < len(entries) else None)

    def _property(self, target: ConditionTarget) -> Any:
        if not (keys := target.custom_path):
            return self.properties.get(target.field_name)
        value: Any = self.custom
        for key in keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        return value


def document_properties(document: Document, stage_ids: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a document's properties by ``$name``; ``stage_ids`` are its open review stages."""
    detail = document.source_detail if isinstance(document.source_detail, Mapping) else {}
    return {
        "$name": document.name,
        "$status": document.status,
        "$source": document.source,
        "$contentType": document.content_type,
        "$senderEmail": detail.get("senderEmail"),
        "$externalId": document.external_id,
        "$pageCount": document.page_count,
        "$createdAt": document.created_at,
        "$updatedAt": document.updated_at,
        "$folderId": document.folder_id,
        "$assigneeId": document.assignee_id,
        "$reviewStageId": list(stage_ids),
    }


def _column(rows: list[Any], target: ConditionTarget) -> list[Any]:
    by_id, by_name = target.column_id, target.column_name
    # Stored rows are dictionaries, and checking that is much faster than checking for a Mapping.
    return [
        _keyed(row, by_id, by_name) if type(row) is dict or isinstance(row, Mapping) else None for row in rows
    ]


def _keyed(source: Mapping[str, Any], by_id: str | None, by_name: str | None) -> Any:
    return source[by_id] if by_id is not None and by_id in source else source.get(by_name or "")


def _confidence(entry: Any) -> float:
    value = entry.get("confidence") if isinstance(entry, Mapping) else None
    return float(value) if isinstance(value, int | float) else 0.0
