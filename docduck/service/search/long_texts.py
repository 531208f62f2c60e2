"""Indexing long texts: each in short transactions of its own, after the one that changed the values.

The trigrams of millions of characters take a second, for which other writers would wait. ``pending_texts``
says which texts are still to be written; until then, searches for words look at the parser's documents one by
one.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.orm import Session

from docduck.catalog.models import DocumentResult, PendingText, SearchEntry, SearchShape, SearchText
from docduck.service.core.installation import Installation
from docduck.service.search.entries import body, restored
from docduck.service.search.index import LONG_TEXT, TO_BE_DONE

_VERSION = (SearchEntry.document_id, SearchEntry.shape_id, DocumentResult.attempt, DocumentResult.updated_at)


def write_pending(
    inst: Installation,
    *,
    parser_ids: Collection[str] | None = None,
    document_ids: Collection[str] | None = None,
) -> int:
    """Index the long texts that are pending, of all documents or of these; return how many there were.

    Whoever is interrupted leaves the rest pending. Several processes may do so at once.
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
        if version is not None and version.shape_id == TO_BE_DONE:
            # Indexing it from the start comes first.
            return
        text = _text(session, number)
        length = session.scalar(select(func.length(SearchText.body)).where(SearchText.number == number)) or 0
    # Taking a long text out of the index takes as long as putting one in.
    steps = ("", text) if text and length > LONG_TEXT else (text,)
    for turn, step in enumerate(steps, start=1):
        with inst.catalog.transaction() as session:
            mine = select(PendingText.number).where(PendingText.number == number).with_for_update()
            if session.scalar(mine) is None or session.execute(_versions(number)).one_or_none() != version:
                # Somebody else wrote it, or changed the values meanwhile and sees to it.
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
    """Return what was read of a document, by the fields that its values are indexed by."""
    found = session.execute(
        select(SearchShape.parser_id, SearchShape.fields, DocumentResult.values.label("values_"))
        .select_from(SearchEntry)
        .join(SearchShape, SearchShape.id == SearchEntry.shape_id)
        .join(DocumentResult, DocumentResult.document_id == SearchEntry.document_id)
        .where(SearchEntry.number == number)
    ).one_or_none()
    return body(restored(found.parser_id, found.fields), found.values_) if found else ""
