"""Indexing of long texts, each in short transactions after the one that changed the values.

Indexing millions of characters takes a second, during which other writers would wait. ``pending_texts`` lists
what is to be done; until then, word searches check the parser's documents one by one.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.orm import Session

from docduck.catalog.models import DocumentResult, PendingText, SearchEntry, SearchShape, SearchText
from docduck.service.core.installation import Installation
from docduck.service.search.entries import restore_schema, values_text
from docduck.service.search.index import LONG_TEXT, NOT_INDEXED

_VERSION = (SearchEntry.document_id, SearchEntry.shape_id, DocumentResult.attempt, DocumentResult.updated_at)


def write_pending(
    inst: Installation,
    *,
    parser_ids: Collection[str] | None = None,
    document_ids: Collection[str] | None = None,
) -> int:
    """Index pending long texts of all or of these documents; return how many.

    Safe to interrupt and to run concurrently.
    """
    statement = select(PendingText.number).order_by(PendingText.number)
    if parser_ids is not None:
        statement = statement.where(PendingText.parser_id.in_(parser_ids))
    if document_ids is not None:
        theirs = select(SearchEntry.number).where(SearchEntry.document_id.in_(document_ids))
        statement = statement.where(PendingText.number.in_(theirs))
    with inst.catalog.read_session() as session:
        numbers = session.scalars(statement).all()
    for number in numbers:
        _write(inst, number)
    return len(numbers)


def _write(inst: Installation, number: int) -> None:
    with inst.catalog.read_session() as session:
        version = session.execute(_versions(number)).one_or_none()
        if version is not None and version.shape_id == NOT_INDEXED:
            # It must first be indexed from scratch.
            return
        text = _text(session, number)
        length = session.scalar(select(func.length(SearchText.body)).where(SearchText.number == number)) or 0
    # Removing a long text takes as long as adding one.
    steps = ("", text) if text and length > LONG_TEXT else (text,)
    for turn, step in enumerate(steps, start=1):
        with inst.catalog.transaction() as session:
            mine = select(PendingText.number).where(PendingText.number == number).with_for_update()
            if session.scalar(mine) is None or session.execute(_versions(number)).one_or_none() != version:
                # Another process has written it, or has changed the values and will write them.
                return
            session.execute(update(SearchText).where(SearchText.number == number).values(body=step))
            if turn == len(steps):
                session.execute(delete(PendingText).where(PendingText.number == number))


def _versions(number: int) -> Select[Any, Any, Any, Any]:
    return (
        select(*_VERSION)
        .outerjoin(DocumentResult, DocumentResult.document_id == SearchEntry.document_id)
        .where(SearchEntry.number == number)
    )


def _text(session: Session, number: int) -> str:
    """Return a document's text by the schema with which it is indexed."""
    row = session.execute(
        select(SearchShape.parser_id, SearchShape.fields, DocumentResult.values.label("values_"))
        .select_from(SearchEntry)
        .join(SearchShape, SearchShape.id == SearchEntry.shape_id)
        .join(DocumentResult, DocumentResult.document_id == SearchEntry.document_id)
        .where(SearchEntry.number == number)
    ).one_or_none()
    return values_text(restore_schema(row.parser_id, row.fields), row.values_) if row else ""
