"""Lists of a team's documents across parsers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Select, exists, func, or_, select, type_coerce
from sqlalchemy.orm import Session

from docduck.catalog.database import is_sqlite
from docduck.catalog.models import Document, DocumentResult, Folder, Parser, SearchEntry, SearchText
from docduck.catalog.models.base import CompressedJsonType
from docduck.service.core.folder_tree import load_tree
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page
from docduck.service.documents.queries.document_views import DocumentRow, document_rows
from docduck.service.documents.queries.finding import MOST_IDS, check_count, find_documents, search_session
from docduck.service.documents.queries.list_cursors import cursor_after, position_of
from docduck.service.parsers.parsers import get_parser, view
from docduck.service.search.duplicate_filter import duplicate_keys, duplicate_numbers, is_copy
from docduck.service.search.paging import document_key, sort_table
from docduck.service.search.properties import at_stage
from docduck.service.search.query import ROOT, CheckedQuery, DocumentQuery, check_query
from docduck.service.search.selection import within
from docduck.service.search.text_sets import TextSet, text_set
from docduck.statuses import HAS_VALUES


def list_documents(
    inst: Installation,
    team_id: str,
    parser_ref: str | None = None,
    *,
    status: str | None = None,
    q: str | None = None,
    sort: str = "createdAt.desc",
    page: int = 1,
    limit: int = 50,
) -> Page[DocumentRow]:
    """Return a page of the documents of a parser, or of the whole team.

    Raise NotFound for the parser, and the errors of ``find_team_documents``.
    """
    query = DocumentQuery(q=q, status=status, sort=sort, page=page, limit=limit)
    if parser_ref is None:
        return find_team_documents(inst, team_id, query)
    return find_documents(inst, team_id, get_parser(inst, team_id, parser_ref).id, query)


def find_team_documents(
    inst: Installation, team_id: str, query: DocumentQuery, only: frozenset[str] | None = None
) -> Page[DocumentRow]:
    """Return a page of the team's documents over all parsers; ``only`` limits the parsers.

    The query has no filters. Documents that a classifier has
    not routed have no parser. Raise InputError for an invalid query or one that takes longer than
    ``SEARCH_SECONDS``.
    """
    checked = check_query(query, (), "auto")
    by = checked.order
    key = document_key(by) if sort_table(by) is Document else Document.created_at
    order = [column.desc() if by.descending else column.asc() for column in (key, Document.id)]
    list_name = f"documents {team_id}"
    position = position_of(inst, list_name, checked)
    with search_session(inst) as session:
        conditions = _wanted(session, team_id, checked, only)
        total = session.scalar(select(func.count()).select_from(Document).where(*conditions)) or 0
        statement = select(Document).where(*conditions).order_by(*order).limit(query.limit + 1)
        if position.place is None:
            statement = statement.offset((position.page - 1) * query.limit)
        else:
            statement = statement.where(position.place.before(by.descending, key, Document.id))
        found = session.scalars(statement).all()
        documents = found[: query.limit]
        cursor = None
        if len(found) > query.limit:
            cursor = cursor_after(inst, list_name, by, position.page, documents[-1], documents[-1].id)
        rows = document_rows(session, documents, with_data=query.with_data)
        return Page(rows, position.page, query.limit, total, cursor)


def find_team_document_ids(inst: Installation, team_id: str, query: DocumentQuery) -> list[str]:
    """Return the ids of all documents that ``find_team_documents`` lists, in no order.

    Raise its errors, and InputError for more than ``MOST_IDS``.
    """
    with search_session(inst) as session:
        conditions = _wanted(session, team_id, check_query(query, (), "auto"), None)
        ids = list(session.scalars(select(Document.id).where(*conditions).limit(MOST_IDS + 1)))
        check_count(ids)
        return ids


def _wanted(
    session: Session, team_id: str, checked: CheckedQuery, only: frozenset[str] | None
) -> list[ColumnElement[bool]]:
    query, q = checked.request, checked.whole
    is_hidden = exists().where(Parser.id == Document.parser_id, Parser.deleted_at.is_not(None))
    conditions = [Document.team_id == team_id, ~is_hidden]
    if only is not None:
        conditions.append(Document.parser_id.in_(only))
    for column, value in (
        (Document.status, query.status),
        (Document.assignee_id, query.assignee_id and query.assignee_id.lower()),
        (Document.external_id, query.external_id),
    ):
        if value is not None:
            conditions.append(column == value)
    if query.folder_id is not None and not (query.folder_id == ROOT and query.include_subfolders):
        conditions.append(_in_folder(session, team_id, query))
    if query.review_stage_id is not None:
        conditions.append(at_stage([query.review_stage_id.lower()]))
    conditions += within(Document.created_at, query.created_from, query.created_to)
    conditions += within(Document.updated_at, query.updated_from, query.updated_to)
    if query.duplicates:
        conditions.append(_is_duplicate(session, team_id))
    if query.confidence_below is not None:
        conditions.append(Document.confidence < query.confidence_below)
    if checked.words and (text := text_set(checked)):
        conditions.append(Document.id.in_(_with_words(session, text)))
    elif q:
        in_name = Document.name_key.contains(q, autoescape=True)
        conditions.append(or_(in_name, Document.external_id.icontains(q, autoescape=True)))
    return conditions


def _with_words(session: Session, text: TextSet) -> Select[str]:
    """Return the ids of documents with all words, as far as they are indexed."""
    on_sqlite = is_sqlite(session)
    numbered = select(SearchEntry.document_id)
    if text.has_trigrams:
        numbered = numbered.where(SearchEntry.number.in_(text.numbers(on_sqlite)))
    if not text.has_trigrams or (on_sqlite and not text.is_exact):
        numbered = numbered.join(SearchText, SearchText.number == SearchEntry.number).where(text.clause())
    return numbered


def _is_duplicate(session: Session, team_id: str) -> ColumnElement[bool]:
    mine = select(Parser).where(Parser.team_id == team_id, Parser.deleted_at.is_(None))
    tests = [is_copy()]
    for parser in map(view, session.scalars(mine)):
        if keys := duplicate_keys(parser.fields, parser.settings):
            numbers = duplicate_numbers(parser.id, keys)
            tests.append(
                Document.id.in_(select(SearchEntry.document_id).where(SearchEntry.number.in_(numbers)))
            )
    return or_(*tests)


def _in_folder(session: Session, team_id: str, query: DocumentQuery) -> ColumnElement[bool]:
    folder_id = str(query.folder_id).lower()
    if folder_id == ROOT:
        return Document.folder_id.is_(None)
    parser_id = session.scalar(
        select(Folder.parser_id).where(Folder.id == folder_id, Folder.team_id == team_id)
    )
    if parser_id is None or not query.include_subfolders:
        return Document.folder_id == folder_id
    return Document.folder_id.in_([folder.id for folder in load_tree(session, parser_id).subtree(folder_id)])


# Tables can be long, and are not listed.
_BY_FIELD = CompressedJsonType(dict[str, msgspec.Raw])


def listed_values(
    inst: Installation, team_id: str, document_ids: Collection[str], field_ids: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Return the values of fields by id, of those documents of the team that have values."""
    if not field_ids:
        return {}
    statement = (
        select(Document.id, type_coerce(DocumentResult.values, _BY_FIELD).label("values_"))
        .join(DocumentResult, DocumentResult.document_id == Document.id)
        .where(Document.team_id == team_id, Document.id.in_(document_ids), Document.status.in_(HAS_VALUES))
    )
    with inst.catalog.read_session() as session:
        return {
            row.id: {
                field_id: msgspec.json.decode(row.values_[field_id])
                for field_id in field_ids
                if field_id in row.values_
            }
            for row in session.execute(statement)
        }
