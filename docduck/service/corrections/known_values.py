"""Which values of documents are known to be right.

Of an approved document, all are; of any other, those that a person corrected or confirmed, a table as a
whole. Nothing is known of what was only read, nor of fields that a document was read without. What people set
stays when its document is read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentResult
from docduck.errors import InputError
from docduck.extraction.arithmetic import check_extraction, judge
from docduck.extraction.result import Extraction
from docduck.fields import Field, FieldType
from docduck.service.corrections.edited_evidence import is_edited
from docduck.service.documents import values
from docduck.service.documents.value_checks import check_values
from docduck.statuses import Status


def is_reviewed() -> ColumnElement[bool]:
    """Return the condition that a person approved a document, or corrected or confirmed values of it."""
    return or_(Document.status == Status.APPROVED, DocumentResult.edited)


def known_values(
    fields: Sequence[Field], result: DocumentResult, *, approved: bool = False
) -> dict[str, Any]:
    """Return the known values by field name that are valid for the present types of their fields."""
    named = values.named(fields, result.values)
    known: dict[str, Any] = {}
    for field in fields:
        key = str(field.id)
        is_known = key in result.values if approved else is_edited(field, result.evidence.get(key))
        if is_known and _is_of_type(field, result.values.get(key)):
            with suppress(InputError):
                known |= check_values([field], {field.name: named[field.name]})
    return known


def _is_of_type(field: Field, stored: Any) -> bool:
    """Return whether a table has a table's value, and another field none."""
    rows = values.table_rows(stored)
    return rows is stored if field.type is FieldType.TABLE else not rows


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
    data = known_values(fields, result)
    if not data:
        return None
    evidence = values.named_evidence(fields, result.values, result.evidence)
    metadata = {**extraction.field_metadata, **{name: evidence[name] for name in data}}
    merged = replace(extraction, data={**extraction.data, **data}, field_metadata=metadata)
    judged = judge(fields, extraction.data, extraction.field_metadata, extraction.extras)
    checked = check_extraction(merged, fields, judged)
    return replace(checked, confidence=None if extraction.confidence is None else checked.confidence)
