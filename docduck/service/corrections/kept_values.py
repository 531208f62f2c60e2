"""Values that people set, which stay when their document is read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import DocumentResult
from docduck.extraction.arithmetic import check_extraction, judge
from docduck.extraction.result import Extraction
from docduck.fields import Field
from docduck.service.corrections.known_values import known_values
from docduck.service.documents import values


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
    kept = replace(extraction, data={**extraction.data, **data}, field_metadata=metadata)
    judged = judge(fields, extraction.data, extraction.field_metadata, extraction.extras)
    checked = check_extraction(kept, fields, judged)
    return replace(checked, confidence=None if extraction.confidence is None else checked.confidence)
