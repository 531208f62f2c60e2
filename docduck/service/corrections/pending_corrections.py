"""Corrections that are still to be learned from; they wait in the catalog.

Learning reads the document again, which takes a second or more, so a correction does not wait for it. The
correction adds its document here in its own transaction. ``process_pending`` learns from it: the API calls it
after its response, and a run before it reads. Nothing is lost with a process that dies; a document that is
learned from twice replaces its own learned layout.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
from collections.abc import Sequence

from sqlalchemy import Select, delete, or_, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentResult, Parser, PendingCorrection
from docduck.catalog.upsert import upsert
from docduck.service.core.installation import Installation
from docduck.service.corrections.learning import learn
from docduck.service.documents import values
from docduck.service.parsers.parsers import view

_log = logging.getLogger(__name__)

_LEASE_MARGIN_SECONDS = 60
_teaching = threading.Lock()
"""Documents that are learned from take turns."""


def enqueue(session: Session, document: Document) -> None:
    """Note that a corrected document is to be learned from."""
    row = {
        "document_id": document.id,
        "team_id": document.team_id,
        "parser_id": document.parser_id,
        "revision": 1,
        "lease_expires_at": None,
        "created_at": clock.now(),
    }
    upsert(session, PendingCorrection, [row], ["document_id"], add=["revision"], replace=["lease_expires_at"])


def process_pending(
    inst: Installation,
    parser_ids: Sequence[str] | None = None,
    *,
    document_id: str | None = None,
    seconds: float | None = None,
) -> int:
    """Learn what is owed, of all, of these parsers or of one document; gives from how many documents.

    No new one is begun after ``seconds``. Returns at once while another thread of this process is at it,
    which then does these as well; for one document it waits for that.
    """
    until = None if seconds is None else time.monotonic() + seconds
    statement = _due(parser_ids, document_id)
    count = 0
    while _is_any(inst, statement):
        if not _teaching.acquire(blocking=document_id is not None):
            break
        try:
            done = _settle(inst, statement, until)
        finally:
            _teaching.release()
        count += done
        if not done or (until is not None and time.monotonic() >= until):
            break
    return count


def _settle(inst: Installation, statement: Select[PendingCorrection], until: float | None) -> int:
    count = 0
    while until is None or time.monotonic() < until:
        owed = _claim(inst, statement)
        if owed is None:
            break
        _teach(inst, owed)
        _forget(inst, owed)
        count += 1
    return count


def _due(parser_ids: Sequence[str] | None, document_id: str | None) -> Select[PendingCorrection]:
    statement = select(PendingCorrection)
    if parser_ids is not None:
        statement = statement.where(PendingCorrection.parser_id.in_(parser_ids))
    if document_id is not None:
        statement = statement.where(PendingCorrection.document_id == document_id)
    return statement.order_by(PendingCorrection.created_at)


def _free(statement: Select[PendingCorrection]) -> Select[PendingCorrection]:
    free = or_(PendingCorrection.lease_expires_at.is_(None), PendingCorrection.lease_expires_at < clock.now())
    return statement.where(free).limit(1)


def _is_any(inst: Installation, statement: Select[PendingCorrection]) -> bool:
    with inst.catalog.read_session() as session:
        return session.scalar(_free(statement)) is not None


def _claim(inst: Installation, statement: Select[PendingCorrection]) -> PendingCorrection | None:
    lease = dt.timedelta(seconds=inst.settings.lesson_seconds + _LEASE_MARGIN_SECONDS)
    with inst.catalog.transaction() as session:
        owed = session.scalar(_free(statement).with_for_update(skip_locked=True))
        if owed is not None:
            owed.lease_expires_at = clock.now() + lease
        return owed


def _teach(inst: Installation, owed: PendingCorrection) -> None:
    with inst.catalog.read_session() as session:
        document = session.get(Document, owed.document_id)
        result = session.get(DocumentResult, owed.document_id)
        parser = session.get(Parser, owed.parser_id)
        if document is None or parser is None or parser.deleted_at is not None:
            return
        seen = view(parser)
        if seen.problem is not None or result is None or not result.edited:
            # Read again meanwhile: what people had changed is given up, and teaches nothing.
            return
        data = values.named(seen.fields, result.values)
        before = values.named(seen.fields, result.read_values or {})
        sha256, name = document.sha256, document.file_name
    learn(inst, seen, owed.document_id, sha256, name, data, before)


def _forget(inst: Installation, owed: PendingCorrection) -> None:
    """Drop the entry; one that was noted anew meanwhile is owed again."""
    mine = PendingCorrection.document_id == owed.document_id
    with inst.catalog.transaction() as session:
        session.execute(delete(PendingCorrection).where(mine, PendingCorrection.revision == owed.revision))
        session.execute(update(PendingCorrection).where(mine).values(lease_expires_at=None))
