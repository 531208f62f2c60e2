"""Values that people set, which stay when their document is read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import DocumentResult
from docduck.errors import InputError
from docduck.extraction.arithmetic import check_extraction, judge
from docduck.extraction.result import Extraction
from docduck.fields import Field, FieldType
from docduck.service.documents import values
from docduck.service.documents.value_checks import check_values


def edited_results(session: Session, document_ids: Sequence[str]) -> dict[str, DocumentResult]:
    """Return the results, by document id, that hold values which people set."""
    mine = select(DocumentResult).where(DocumentResult.document_id.in_(document_ids), DocumentResult.edited)
    return {result.document_id: result for result in session.scalars(mine)}


def with_kept_values(
    extraction: Extraction, fields: Sequence[Field], result: DocumentResult
) -> Extraction | None:
    """Return the extraction with the values and evidence that people set in ``result``; None if none stay.

    A value stays if it is valid for its field's present type, and a table that was edited stays whole.
    """
    before = values.named(fields, result.values)
    evidence = values.named_evidence(fields, result.values, result.evidence)
    data: dict[str, Any] = {}
    for field in fields:
        if _is_edited(field, result):
            try:
                data |= check_values([field], {field.name: before[field.name]})
            except InputError:
                continue
    if not data:
        return None
    metadata = {**extraction.field_metadata, **{name: evidence[name] for name in data}}
    kept = replace(extraction, data={**extraction.data, **data}, field_metadata=metadata)
    judged = judge(fields, extraction.data, extraction.field_metadata, extraction.extras)
    checked = check_extraction(kept, fields, judged)
    return replace(checked, confidence=None if extraction.confidence is None else checked.confidence)


def _is_edited(field: Field, result: DocumentResult) -> bool:
    stored, entry = result.values.get(str(field.id)), result.evidence.get(str(field.id))
    if field.type is not FieldType.TABLE:
        return isinstance(entry, Mapping) and bool(entry.get("edited"))
    if not isinstance(stored, list):
        return False
    if isinstance(entry, Mapping):
        return bool(entry.get("edited"))
    rows = values.evidence_of_rows(stored, entry) if stored == values.table_rows(stored) else ()
    return any(cell.get("edited") for row in rows for cell in row.values())
