"""Checking documents one by one, if conditions have no index or the candidates are few."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentResult, DocumentStage, SearchEntry
from docduck.service.conditions import (
    Aspect,
    ConditionTarget,
    DocumentFacts,
    Effort,
    all_hold,
    document_properties,
)
from docduck.service.search.encoding import INCOMPARABLE, cell_entries
from docduck.service.search.entries import values_text
from docduck.service.search.properties import WAITING_STAGES
from docduck.service.search.query import Order, SortBy
from docduck.service.search.selection import CandidateSet, Selection

_CHUNK = 500
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


@dataclass(frozen=True, slots=True)
class MatchingDocument:
    """A matching document: its number, and its sort key if a list is sorted by a field."""

    number: int
    key: str | None


def scan_documents(
    session: Session, selection: Selection, order: Order, candidates: CandidateSet | None, effort: Effort
) -> Iterator[MatchingDocument]:
    """Yield the matching documents of ``candidates``, or of all, newest first.

    Raise OutOfTime; ``effort`` is checked for each document and value.
    """
    others = (
        selection.unindexed
        if candidates is None
        else [condition for condition in selection.conditions if condition is not candidates.condition]
    )
    words = selection.stale and selection.text is not None
    statement = _statement(selection, order, candidates, bool(others) or words)
    stages_matter = any(condition.target.field_name == "$reviewStageId" for condition in others)
    for chunk in session.execute(statement).partitions(_CHUNK):
        stages = _stages(session, [row.document_id for row in chunk]) if stages_matter else {}
        for row in chunk:
            effort.check()
            values = row.values_ or {} if hasattr(row, "values_") else {}
            if others or words:
                facts = DocumentFacts(
                    values,
                    (row.evidence or {}) if hasattr(row, "evidence") else {},
                    document_properties(cast(Document, row), tuple(stages.get(row.document_id, ()))),
                    row.custom,
                )
                if words and not _has_words(selection, row, values):
                    continue
                if not all_hold(others, facts, effort):
                    continue
            key = None if order.target is None else sort_key(order.target, values, order.descending)
            yield MatchingDocument(row.number, key)


def sort_key(target: ConditionTarget, values: Mapping[str, Any], descending: bool) -> str | None:
    """Return a document's key for sorting by a field: the lowest of several values, or the highest."""
    texts = {
        text
        for cell in DocumentFacts(values).cells(target)
        for text in cell_entries(target.kind, cell)
        if "" < text < INCOMPARABLE
    }
    return (max(texts) if descending else min(texts)) if texts else None


def _statement(
    selection: Selection, order: Order, candidates: CandidateSet | None, whole: bool
) -> Select[Any]:
    by_value = order.by is SortBy.FIELD
    columns: list[Any] = [SearchEntry.number, SearchEntry.document_id]
    if whole:
        columns.extend(_COLUMNS)
    if whole or by_value:
        columns.append(DocumentResult.values.label("values_"))
    if any(condition.aspect is Aspect.CONFIDENCE for condition in selection.conditions):
        columns.append(DocumentResult.evidence)
    statement = selection.entries(*columns, documents=True, by_number=candidates is not None)
    if whole or by_value:
        statement = statement.outerjoin(DocumentResult, DocumentResult.document_id == SearchEntry.document_id)
    if candidates is None:
        statement = statement.where(*selection.sets())
    else:
        clauses = [
            one.clause for one in selection.candidate_sets if one is not candidates and one.clause is not None
        ]
        statement = statement.where(SearchEntry.number.in_(candidates.numbers), *clauses)
    statement = statement.order_by(SearchEntry.created_at.desc(), SearchEntry.number.desc())
    return statement.execution_options(yield_per=_CHUNK)


def _has_words(selection: Selection, row: Any, values: Mapping[str, Any]) -> bool:
    assert selection.text is not None
    read = values_text(selection.schema, values) if selection.text.in_values else ""
    return selection.text.fits(row.name.casefold(), (row.external_id or "").casefold(), read)


def _stages(session: Session, ids: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for document_id, stage_id in session.execute(
        select(DocumentStage.document_id, DocumentStage.stage_id).where(
            DocumentStage.document_id.in_(ids), DocumentStage.status.in_(WAITING_STAGES)
        )
    ):
        found.setdefault(document_id, []).append(stage_id)
    return found
