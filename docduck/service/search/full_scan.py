"""Checking documents one by one: for conditions without an index, and for the order of a few documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentResult, DocumentStage, SearchEntry
from docduck.service.conditions import (
    Aspect,
    Condition,
    ConditionTarget,
    DocumentFacts,
    Effort,
    all_hold,
    document_properties,
)
from docduck.service.core.pages import chunks
from docduck.service.search.encoding import INCOMPARABLE, cell_entries
from docduck.service.search.entries import values_text
from docduck.service.search.index import EXPIRED
from docduck.service.search.properties import WAITING_STAGES
from docduck.service.search.selection import Selection

_COLUMNS = (
    Document.name,
    Document.status,
    Document.source,
    Document.source_detail,
    Document.content_type,
    Document.external_id,
    Document.page_count,
    Document.created_at,
    Document.updated_at,
    Document.folder_id,
    Document.assignee_id,
    Document.custom,
)


def matching(
    session: Session,
    selection: Selection,
    conditions: Sequence[Condition],
    numbers: Sequence[int],
    effort: Effort,
) -> Iterator[int]:
    """Yield those of ``numbers`` whose documents satisfy ``conditions``, and the words without an index.

    Raise OutOfTime; ``effort`` is checked for each document and value.
    """
    words = selection.unindexed_words
    columns: list[Any] = [*_COLUMNS]
    if any(condition.aspect is Aspect.CONFIDENCE for condition in conditions):
        columns.append(DocumentResult.evidence)
    stages_matter = any(condition.target.field_name == "$reviewStageId" for condition in conditions)
    for rows in _read(session, numbers, columns):
        stages = _stages(session, [row.document_id for row in rows]) if stages_matter else {}
        for row in rows:
            effort.check()
            values = row.values_ or {}
            if words is not None:
                body = values_text(selection.schema, values) if words.in_values else ""
                if not words.fits(row.name.casefold(), (row.external_id or "").casefold(), body):
                    continue
            facts = DocumentFacts(
                values,
                (row.evidence or {}) if hasattr(row, "evidence") else {},
                document_properties(cast(Document, row), tuple(stages.get(row.document_id, ()))),
                row.custom,
            )
            if all_hold(conditions, facts, effort):
                yield row.number


def sorted_by_values(
    session: Session, numbers: Sequence[int], target: ConditionTarget, descending: bool, effort: Effort
) -> list[int]:
    """Return those of ``numbers`` whose documents have a value of ``target``, sorted by it.

    Raise OutOfTime.
    """
    keys: list[tuple[str, int]] = []
    for rows in _read(session, numbers, ()):
        for row in rows:
            effort.check()
            key = _sort_key(target, row.values_ or {}, descending)
            if key is not None:
                keys.append((key, row.number))
    return [number for _, number in sorted(keys, reverse=descending)]


def _read(session: Session, numbers: Sequence[int], columns: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield documents with their values, in chunks."""
    statement = (
        select(SearchEntry.number, SearchEntry.document_id, DocumentResult.values.label("values_"), *columns)
        .join(Document, Document.id == SearchEntry.document_id)
        .outerjoin(
            DocumentResult,
            and_(
                DocumentResult.document_id == SearchEntry.document_id,
                SearchEntry.shape_id.is_distinct_from(EXPIRED),
            ),
        )
    )
    for chunk in chunks(numbers):
        yield session.execute(statement.where(SearchEntry.number.in_(chunk))).all()


def _sort_key(target: ConditionTarget, values: Mapping[str, Any], descending: bool) -> str | None:
    """Return the lowest of a document's values, or the highest."""
    texts = {
        text
        for cell in DocumentFacts(values).cells(target)
        for text in cell_entries(target.kind, cell)
        if "" < text < INCOMPARABLE
    }
    return (max(texts) if descending else min(texts)) if texts else None


def _stages(session: Session, ids: Sequence[str]) -> dict[str, list[str]]:
    stages: dict[str, list[str]] = {}
    for document_id, stage_id in session.execute(
        select(DocumentStage.document_id, DocumentStage.stage_id).where(
            DocumentStage.document_id.in_(ids), DocumentStage.status.in_(WAITING_STAGES)
        )
    ):
        stages.setdefault(document_id, []).append(stage_id)
    return stages
