"""Leaving the values of old documents out of the index."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Mapping

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentResult, SearchEntry, SearchShape
from docduck.service.core.installation import Installation
from docduck.service.search import index
from docduck.service.search.index import KnownValues, Replacement
from docduck.service.search.long_texts import write_pending

_log = logging.getLogger(__name__)

EXPIRY_BATCH = 200
"""Documents in one transaction."""
_LOGGED = 10_000


def expire_values(inst: Installation, days: float) -> int:
    """Remove values from the index that were read and corrected longer ago; return of how many documents.

    They come back when the document is read again or corrected. Safe to interrupt and to run concurrently.
    """
    before = clock.now() - dt.timedelta(days=days)
    done = logged = 0
    with inst.catalog.read_session() as session:
        schemas = session.execute(select(SearchShape.parser_id, SearchShape.id)).all()
    for parser_id, shape_id in schemas:
        last = 0
        while True:
            old = (
                select(SearchEntry.number, SearchEntry.document_id)
                .join(DocumentResult, DocumentResult.document_id == SearchEntry.document_id)
                .where(SearchEntry.parser_id == parser_id, SearchEntry.shape_id == shape_id)
                .where(SearchEntry.number > last, DocumentResult.updated_at < before)
                .order_by(SearchEntry.number)
                .limit(EXPIRY_BATCH)
            )
            with inst.catalog.read_session() as session:
                rows = session.execute(old).all()
                known = index.known_values(session, [row.document_id for row in rows])
            if not rows:
                break
            last = rows[-1].number
            removed = index.replacements(known, {})
            with inst.catalog.transaction() as session:
                done += _remove(session, known, removed)
            if done - logged >= _LOGGED:
                logged = done
                _log.info("removed the values of %s documents from the search index so far", done)
    if done:
        _log.info("removed the values of %s documents from the search index", done)
        write_pending(inst)
    return done


def _remove(session: Session, known: Mapping[str, KnownValues], removed: Mapping[str, Replacement]) -> int:
    """Remove the values of documents that have not changed meanwhile; return of how many."""
    mine = select(Document.id).where(Document.id.in_(known)).order_by(Document.id)
    ids = session.scalars(mine.with_for_update(skip_locked=True)).all()
    ids = sorted({*ids} - index.changed_values(session, ids, known))
    index.replace_values(session, {document_id: removed[document_id] for document_id in ids})
    expired = update(SearchEntry).where(SearchEntry.document_id.in_(ids)).values(shape_id=index.EXPIRED)
    session.execute(expired.execution_options(synchronize_session=False))
    return len(ids)
