"""Translation of queries into sets of documents by the index, and conditions without an index."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Select, SQLColumnExpression, exists, func, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.database import is_sqlite
from docduck.catalog.models import (
    Document,
    PendingText,
    SearchEntry,
    SearchShape,
    SearchText,
    SearchValue,
)
from docduck.fields import Field
from docduck.service.conditions import Condition, DocumentFacts, holds
from docduck.service.core.folder_tree import load_tree
from docduck.service.search.entries import IndexSchema, index_schema
from docduck.service.search.index import EXPIRED
from docduck.service.search.properties import at_stage, property_clause
from docduck.service.search.query import ROOT, CheckedQuery, DocumentQuery
from docduck.service.search.text_sets import TextSet, text_set
from docduck.service.search.value_sets import value_set


@dataclass(frozen=True, slots=True)
class NumberSet:
    """A set of documents, given by number.

    If ``excluded``, it stands for all other documents, and for those in ``besides``. ``condition`` is the
    filter that it represents, if any. ``is_of_parser``: it contains no other parser's documents.
    """

    numbers: Select[int]
    condition: Condition | None = None
    excluded: bool = False
    besides: Select[int] | None = None
    is_of_parser: bool = True


@dataclass(slots=True)
class Selection:
    """The documents of a parser that a query selects.

    They have the ``status``, are in one of ``folder_ids`` (in no folder if there are none), satisfy
    ``clauses`` on entries and documents, and are in all ``sets``. ``unindexed`` conditions and words must be
    checked on each document's values. If the index is ``stale``, it says nothing about values.
    """

    parser_id: str
    schema: IndexSchema
    status: str | None = None
    folder_ids: tuple[str, ...] | None = None
    clauses: list[ColumnElement[bool]] = field(default_factory=list)
    needs_documents: bool = False
    needs_texts: bool = False
    sets: list[NumberSet] = field(default_factory=list)
    unindexed: list[Condition] = field(default_factory=list)
    unindexed_words: TextSet | None = None
    stale: bool = False

    @property
    def needs_scan(self) -> bool:
        """Whether documents must be checked one by one."""
        return bool(self.unindexed) or self.unindexed_words is not None

    @property
    def is_everything(self) -> bool:
        """Whether it has no condition that entries tell."""
        return not self.clauses and self.status is None and self.folder_ids is None

    def located(
        self, table: type[SearchEntry | Document], *, in_list_order: bool = False
    ) -> list[ColumnElement[bool]]:
        """Return the conditions on status and folder.

        ``in_list_order`` makes SQLite read rows in the list's order, instead of sorting what it finds by a
        condition.
        """
        is_sorted = in_list_order and table is Document
        conditions = []
        if self.status is not None:
            conditions.append((_hidden(table.status) if is_sorted else table.status) == self.status)
        if self.folder_ids is not None:
            # Entries have an index of each folder in the list's order, but several must be sorted.
            is_sorted = is_sorted or (in_list_order and len(self.folder_ids) > 1)
            conditions.append(
                _in_folders(_hidden(table.folder_id) if is_sorted else table.folder_id, self.folder_ids)
            )
        return conditions

    def entries(
        self, *columns: Any, documents: bool = False, by_number: bool = False, in_list_order: bool = False
    ) -> Select[Any]:
        """Return these columns of the entries that match status, folders and clauses.

        ``by_number`` makes SQLite look up entries by number.
        """
        statement = select(*columns).select_from(SearchEntry)
        if documents or self.needs_documents:
            statement = statement.join(Document, Document.id == SearchEntry.document_id)
        if self.needs_texts:
            statement = statement.join(SearchText, SearchText.number == SearchEntry.number)
        parser_id = _hidden(SearchEntry.parser_id) if by_number else SearchEntry.parser_id
        return statement.where(
            parser_id == self.parser_id,
            *self.located(SearchEntry, in_list_order=in_list_order),
            *self.clauses,
        )


def _hidden(column: SQLColumnExpression[Any]) -> SQLColumnExpression[Any]:
    """Return the column as an expression, so that SQLite doesn't use an index of it."""
    return func.coalesce(column, None)


def _in_folders(folder_id: SQLColumnExpression[Any], folder_ids: Sequence[str]) -> ColumnElement[bool]:
    match folder_ids:
        case ():
            return folder_id.is_(None)
        case (id_,):
            return folder_id == id_
    return folder_id.in_(folder_ids)


def select_documents(
    session: Session, parser_id: str, fields: Sequence[Field], query: CheckedQuery
) -> Selection:
    """Translate a query into a selection."""
    request = query.request
    selection = Selection(parser_id, index_schema(parser_id, fields), request.status)
    selection.folder_ids = _folder_ids(session, parser_id, request)
    selection.clauses += within(SearchEntry.created_at, request.created_from, request.created_to)
    _add_properties(selection, request)
    values_matter = bool(query.conditions) or query.whole != "" or query.order.target is not None
    selection.stale = values_matter and (
        bool(stale_schemas(session, selection.schema))
        # A long text of its documents is not indexed yet.
        or (bool(query.words) and _is_any(session, PendingText.parser_id == parser_id))
    )
    if text := text_set(query):
        _add_text(session, selection, text)
    for condition in query.conditions:
        _add_condition(session, selection, condition)
    return selection


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


def within(
    column: SQLColumnExpression[Any], since: dt.date | None, until: dt.date | None
) -> list[ColumnElement[bool]]:
    """Return the conditions on a moment; both bounds are inclusive (``clock.span``)."""
    bounds = []
    if since is not None:
        bounds.append(column >= clock.span(since)[0])
    if until is not None:
        bounds.append(column <= clock.span(until)[1])
    return bounds


def _add_properties(selection: Selection, request: DocumentQuery) -> None:
    numbers = select(SearchEntry.number).join(Document, Document.id == SearchEntry.document_id)
    numbers = numbers.where(Document.parser_id == selection.parser_id)
    if updated := within(Document.updated_at, request.updated_from, request.updated_to):
        # With the parser, an index has them in their order.
        selection.clauses += [Document.parser_id == selection.parser_id, *updated]
        selection.needs_documents = True
    if request.confidence_below is not None:
        selection.clauses.append(Document.confidence < request.confidence_below)
        selection.needs_documents = True
    if request.external_id is not None:
        selection.sets.append(NumberSet(numbers.where(Document.external_id == request.external_id)))
    if request.assignee_id is not None:
        selection.sets.append(NumberSet(numbers.where(Document.assignee_id == request.assignee_id.lower())))
    if request.review_stage_id is not None:
        selection.sets.append(NumberSet(numbers.where(at_stage([request.review_stage_id.lower()]))))


def _add_text(session: Session, selection: Selection, text: TextSet) -> None:
    if selection.stale:
        selection.unindexed_words = text
        return
    on_sqlite = is_sqlite(session)
    if text.has_trigrams:
        selection.sets.append(NumberSet(text.numbers(on_sqlite), is_of_parser=False))
    if not text.has_trigrams or (on_sqlite and not text.is_exact):
        selection.clauses.append(text.clause())
        selection.needs_texts = True


def _add_condition(session: Session, selection: Selection, condition: Condition) -> None:
    clause = property_clause(condition)
    if clause is not None:
        selection.clauses.append(clause)
        if condition.target.field_name not in ("$status", "$folderId", "$createdAt"):
            selection.needs_documents = True
        return
    # A document without values would match. Where none has left the index, the clause only takes time.
    if (
        condition.target.field_id is not None
        and holds(condition, DocumentFacts({}))
        and _is_indexed_by(session, selection.parser_id, EXPIRED)
    ):
        selection.clauses.append(SearchEntry.shape_id.is_distinct_from(EXPIRED))
    values = None if selection.stale else value_set(selection.parser_id, condition)
    if values is None or (
        values.long_key is not None and _is_any(session, SearchValue.key == values.long_key)
    ):
        selection.unindexed.append(condition)
        return
    besides = values.lacking() if values.or_missing else None
    selection.sets.append(NumberSet(values.numbers(), condition, values.negated, besides))


def _is_any(session: Session, *conditions: ColumnElement[bool]) -> bool:
    """Return whether any row fulfils all conditions."""
    return bool(session.scalar(select(exists().where(*conditions))))


def stale_schemas(session: Session, schema: IndexSchema) -> list[int]:
    """Return the ids of schemas in use that don't fit the parser's present fields."""
    present = set(schema.fields)
    rows = session.execute(
        select(SearchShape.id, SearchShape.fields).where(SearchShape.parser_id == schema.parser_id)
    )
    suspects = [0, *(row.id for row in rows if not {tuple(field) for field in row.fields} <= present)]
    return [shape_id for shape_id in suspects if _is_indexed_by(session, schema.parser_id, shape_id)]


def _is_indexed_by(session: Session, parser_id: str, shape_id: int) -> bool:
    """Return whether some of the parser's documents are indexed by a schema."""
    return _is_any(session, SearchEntry.parser_id == parser_id, SearchEntry.shape_id == shape_id)
