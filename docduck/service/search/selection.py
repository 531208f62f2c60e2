"""Translation of queries into conditions with an index and conditions without."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    SQLColumnExpression,
    String,
    and_,
    exists,
    func,
    select,
    type_coerce,
)
from sqlalchemy.orm import Session, aliased

from docduck import clock
from docduck.catalog.models import (
    Document,
    DocumentStage,
    PendingText,
    SearchEntry,
    SearchShape,
    SearchText,
    SearchValue,
)
from docduck.fields import Field
from docduck.service.conditions import Condition
from docduck.service.core.folder_tree import load_tree
from docduck.service.search.entries import IndexSchema, index_schema
from docduck.service.search.properties import WAITING_STAGES, at_stage, property_clause
from docduck.service.search.query import ROOT, CheckedQuery, DocumentQuery
from docduck.service.search.text_sets import TextSet, text_set
from docduck.service.search.value_sets import value_set


@dataclass(frozen=True, slots=True)
class CandidateSet:
    """A set of documents, given by number, that may be small enough to check each.

    ``condition`` is the filter that it represents, if any; ``clause`` is the same for a document's rows.
    ``is_of_parser``: it contains no other parser's documents.
    """

    numbers: Select[int]
    condition: Condition | None = None
    clause: ColumnElement[bool] | None = None
    is_of_parser: bool = True


@dataclass(slots=True)
class Selection:
    """The documents of a parser that a query selects.

    ``clauses`` are conditions on entries, ``document_clauses`` on documents. Selected documents are in all of
    ``candidate_sets`` and in none of the sets that ``negated`` and ``exclusions`` describe (a second set
    there lists documents that match because a row lacks the value). ``unindexed`` conditions must be checked
    on each document's values; if the index is ``stale``, words as well.
    """

    parser_id: str
    schema: IndexSchema
    is_sqlite: bool
    clauses: list[ColumnElement[bool]] = field(default_factory=list)
    document_clauses: list[ColumnElement[bool]] = field(default_factory=list)
    text_clauses: list[ColumnElement[bool]] = field(default_factory=list)
    candidate_sets: list[CandidateSet] = field(default_factory=list)
    negated: list[tuple[ColumnElement[bool], Condition]] = field(default_factory=list)
    exclusions: list[tuple[Select[int], Select[int] | None]] = field(default_factory=list)
    unindexed: list[Condition] = field(default_factory=list)
    text: TextSet | None = None
    stale: bool = False
    wanted_status: str | None = None
    folder_ids: tuple[str, ...] | None = None
    folder_clause: ColumnElement[bool] | None = None
    is_counted: bool = True
    has_location_only: bool = True

    @property
    def conditions(self) -> list[Condition]:
        """All filters that can be checked on a document's values."""
        return [
            *(candidates.condition for candidates in self.candidate_sets if candidates.condition is not None),
            *(condition for _, condition in self.negated),
            *self.unindexed,
        ]

    def sets(self) -> list[ColumnElement[bool]]:
        """Return the candidate sets and negations as clauses on entries."""
        sets = [SearchEntry.number.in_(candidates.numbers) for candidates in self.candidate_sets]
        return [*sets, *(clause for clause, _ in self.negated)]

    def entries(
        self, *columns: Any, documents: bool = False, by_number: bool = False, in_list_order: bool = False
    ) -> Select[Any]:
        """Return these columns of the entries that match the clauses, ignoring candidate sets and
        ``unindexed``.

        ``by_number`` makes SQLite look up entries by number. ``in_list_order`` makes it read them in the
        list's order instead of sorting several folders.
        """
        parser_id: Any = SearchEntry.parser_id
        if by_number and self.is_sqlite:
            parser_id = type_coerce(
                type_coerce(SearchEntry.parser_id, String).concat(""), SearchEntry.parser_id.type
            )
        statement = select(*columns).select_from(SearchEntry)
        if documents or self.document_clauses:
            statement = statement.join(Document, Document.id == SearchEntry.document_id)
        if self.text_clauses:
            statement = statement.join(SearchText, SearchText.number == SearchEntry.number)
        clauses = self.clauses
        if in_list_order and self.folder_ids and len(self.folder_ids) > 1:
            hidden = in_folders(func.coalesce(SearchEntry.folder_id, None), self.folder_ids)
            clauses = [*(clause for clause in clauses if clause is not self.folder_clause), hidden]
        return statement.where(
            parser_id == self.parser_id,
            *clauses,
            *self.document_clauses,
            *self.text_clauses,
        )


def select_documents(
    session: Session, parser_id: str, fields: Sequence[Field], query: CheckedQuery, is_sqlite: bool
) -> Selection:
    """Translate a query into a selection."""
    found = Selection(parser_id, index_schema(parser_id, fields), is_sqlite)
    _add_status_and_folder(session, found, query)
    places = len(found.clauses)
    _add_creation_range(found, query)
    _add_sets(found, query)
    values_matter = bool(query.conditions) or query.whole != "" or query.order.target is not None
    found.stale = values_matter and (
        _is_stale(session, found.schema) or (bool(query.words) and _is_text_pending(session, parser_id))
    )
    found.text = text_set(query)
    if found.text is not None and not found.stale:
        _add_text(found, found.text)
    for condition in query.conditions:
        _add_condition(session, found, condition)
    found.has_location_only = not (found.clauses[places:] or found.document_clauses or found.text_clauses)
    found.is_counted = found.has_location_only and not (
        found.candidate_sets or found.negated or found.unindexed or (found.stale and found.text)
    )
    return found


def in_folders(folder_id: SQLColumnExpression[Any], folder_ids: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition that a document is in one of these folders, or in no folder if there are none."""
    match folder_ids:
        case ():
            return folder_id.is_(None)
        case (one,):
            return folder_id == one
    return folder_id.in_(folder_ids)


def _add_status_and_folder(session: Session, found: Selection, query: CheckedQuery) -> None:
    request = query.request
    found.wanted_status = request.status
    if request.status is not None:
        found.clauses.append(SearchEntry.status == request.status)
    found.folder_ids = _folder_ids(session, found.parser_id, request)
    if found.folder_ids is not None:
        found.folder_clause = in_folders(SearchEntry.folder_id, found.folder_ids)
        found.clauses.append(found.folder_clause)


def _folder_ids(session: Session, parser_id: str, request: DocumentQuery) -> tuple[str, ...] | None:
    """Return the folders of a query: None for all, an empty tuple for no folder."""
    if request.folder_id is None or (request.folder_id == ROOT and request.include_subfolders):
        return None
    if request.folder_id == ROOT:
        return ()
    folder_id = request.folder_id.lower()
    tree = load_tree(session, parser_id) if request.include_subfolders else None
    if tree is None or tree.find(folder_id) is None:
        return (folder_id,)
    return tuple(folder.id for folder in tree.subtree(folder_id))


def _add_creation_range(found: Selection, query: CheckedQuery) -> None:
    request = query.request
    if request.created_from is not None:
        found.clauses.append(SearchEntry.created_at >= _moment(request.created_from))
    if request.created_to is not None:
        # Older documents have microseconds, which the API doesn't show.
        last = _moment(request.created_to) + dt.timedelta(microseconds=999)
        found.clauses.append(SearchEntry.created_at <= last)


def _add_sets(found: Selection, query: CheckedQuery) -> None:
    request = query.request
    numbers = select(SearchEntry.number).join(Document, Document.id == SearchEntry.document_id)
    mine = Document.parser_id == found.parser_id
    if request.external_id is not None:
        clause = Document.external_id == request.external_id
        found.candidate_sets.append(CandidateSet(numbers.where(mine, clause), clause=clause))
    if request.assignee_id is not None:
        clause = Document.assignee_id == request.assignee_id.lower()
        found.candidate_sets.append(CandidateSet(numbers.where(mine, clause), clause=clause))
    if request.review_stage_id is not None:
        waiting = (
            select(SearchEntry.number)
            .join(DocumentStage, DocumentStage.document_id == SearchEntry.document_id)
            .where(
                DocumentStage.stage_id == request.review_stage_id.lower(),
                DocumentStage.status.in_(WAITING_STAGES),
            )
        )
        found.candidate_sets.append(CandidateSet(waiting, clause=at_stage([request.review_stage_id.lower()])))


def _add_text(found: Selection, text: TextSet) -> None:
    if text.has_trigrams:
        texts = aliased(SearchText)
        inside = exists().where(texts.number == SearchEntry.number, text.clause(found.is_sqlite, texts))
        found.candidate_sets.append(
            CandidateSet(text.numbers(found.is_sqlite), clause=inside, is_of_parser=False)
        )
    if not text.has_trigrams or (found.is_sqlite and not text.is_exact):
        found.text_clauses.append(text.clause(found.is_sqlite))


def _add_condition(session: Session, found: Selection, condition: Condition) -> None:
    clause = property_clause(condition)
    if clause is not None:
        target = condition.target.field_name
        on_entry = target in ("$status", "$folderId", "$createdAt")
        (found.clauses if on_entry else found.document_clauses).append(clause)
        return
    part = None if found.stale else value_set(found.parser_id, condition)
    if part is None or (part.long_key is not None and _any(session, part.long_key)):
        found.unindexed.append(condition)
    elif part.is_positive:
        found.candidate_sets.append(CandidateSet(part.numbers(found.is_sqlite), condition))
    else:
        found.negated.append((part.clause(found.is_sqlite), condition))
        found.exclusions.append((part.numbers(found.is_sqlite), part.lacking() if part.or_missing else None))


def _any(session: Session, key: int) -> bool:
    return bool(session.scalar(select(exists().where(SearchValue.key == key))))


def _is_stale(session: Session, schema: IndexSchema) -> bool:
    """Return whether some of the parser's documents are not indexed by its present fields."""
    return bool(stale_schemas(session, schema))


def _is_text_pending(session: Session, parser_id: str) -> bool:
    """Return whether a long text of the parser's documents is not indexed yet."""
    return bool(session.scalar(select(exists().where(PendingText.parser_id == parser_id))))


def stale_schemas(session: Session, schema: IndexSchema) -> list[int]:
    """Return the ids of schemas in use that don't fit the parser's present fields."""
    present = set(schema.fields)
    rows = session.execute(
        select(SearchShape.id, SearchShape.fields).where(SearchShape.parser_id == schema.parser_id)
    )
    suspects = [0, *(row.id for row in rows if not {tuple(one) for one in row.fields} <= present)]
    return [
        one
        for one in suspects
        if session.scalar(
            select(
                exists().where(and_(SearchEntry.parser_id == schema.parser_id, SearchEntry.shape_id == one))
            )
        )
    ]


def _moment(given: dt.datetime) -> dt.datetime:
    return clock.milliseconds(given if given.tzinfo is not None else given.replace(tzinfo=dt.UTC))
