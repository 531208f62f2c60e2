"""The queue of corrected and approved documents to learn from.

Learning takes a second or more, so a correction or an approval only enqueues its document, in its
transaction. The API calls
``process_pending`` after its response, and runs do at their start. A process that dies loses nothing;
learning twice from a document replaces its layout.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select, delete, or_, select, true, update
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import flag_modified

from docduck import clock
from docduck.catalog.database import lease_clock
from docduck.catalog.models import Document, DocumentResult, Parser, PendingCorrection
from docduck.catalog.upsert import upsert
from docduck.errors import WorkerEnded
from docduck.extraction.jobs.extraction_job import TeachTask
from docduck.service.core import warehouse_outbox
from docduck.service.core.installation import Installation
from docduck.service.corrections.edited_evidence import edits_of, shown_places, unplaced_values, with_places
from docduck.service.corrections.learning import LEARN_SECONDS, has_room, learn, read_task
from docduck.service.documents import values
from docduck.service.parsers.parsers import view
from docduck.statuses import Status

_log = logging.getLogger(__name__)

_LEASE_MARGIN_SECONDS = 60
_RETRIED = dt.timedelta(hours=1)
"""How long a document whose side worker is lost is tried again: it may be what ends them."""
_PATIENCE = 10.0
"""Seconds that a person waits for what is being learned from other documents."""
_learning_lock = threading.Lock()
"""One document is learned from at a time."""


def enqueue(session: Session, document: Document) -> None:
    """Enqueue a corrected or approved document."""
    row = {
        "document_id": document.id,
        "team_id": document.team_id,
        "parser_id": document.parser_id,
        "revision": 1,
        "lease_expires_at": None,
        "created_at": clock.now(),
    }
    upsert(session, PendingCorrection, [row], ["document_id"], add=["revision"], replace=["lease_expires_at"])


def process_pending(inst: Installation, *, seconds: float | None = None) -> int:
    """Learn from pending corrections of all parsers; return how many.

    None is started after ``seconds``. If another thread of this process is learning, return at once and leave
    the work to it.
    """
    until = None if seconds is None else time.monotonic() + seconds
    count = 0
    while _is_any(inst):
        if not _learning_lock.acquire(blocking=False):
            break
        try:
            done = _process(inst, until)
        finally:
            _learning_lock.release()
        count += done
        if not done or (until is not None and time.monotonic() >= until):
            break
    return count


def learn_at_once(inst: Installation, document_id: str) -> None:
    """Learn from one document if it is pending, unless this process is busy learning from others."""
    if not _learning_lock.acquire(timeout=_PATIENCE):
        return
    try:
        pending = _claim(inst, document_id)
        if pending is not None:
            _learn(inst, pending)
    finally:
        _learning_lock.release()


def is_pending(inst: Installation, document_id: str) -> bool:
    """Return whether a document is yet to be learned from."""
    mine = select(PendingCorrection.document_id).where(PendingCorrection.document_id == document_id)
    with inst.catalog.read_session() as session:
        return session.scalar(mine) is not None


def _process(inst: Installation, until: float | None) -> int:
    count = 0
    while until is None or time.monotonic() < until:
        pending = _claim(inst)
        if pending is None:
            break
        count += _learn(inst, pending)
    return count


def _learn(inst: Installation, pending: PendingCorrection) -> bool:
    """Learn from a claimed document; return whether that is done."""
    try:
        _learn_from(inst, pending)
    except WorkerEnded as error:
        _log.warning("document %s could not be learned from: %s", pending.document_id, error)
        if clock.now() - pending.created_at < _RETRIED:
            # It is tried again when its lease has expired.
            return False
    _complete(inst, pending)
    return True


def _free(session: Session, document_id: str | None = None) -> Select[PendingCorrection]:
    ended = PendingCorrection.lease_expires_at < lease_clock(session)
    free = or_(PendingCorrection.lease_expires_at.is_(None), ended)
    mine = true() if document_id is None else PendingCorrection.document_id == document_id
    return select(PendingCorrection).where(free, mine).order_by(PendingCorrection.created_at).limit(1)


def _is_any(inst: Installation) -> bool:
    with inst.catalog.read_session() as session:
        return session.scalar(_free(session)) is not None


def _claim(inst: Installation, document_id: str | None = None) -> PendingCorrection | None:
    lease = dt.timedelta(seconds=LEARN_SECONDS + _LEASE_MARGIN_SECONDS)
    with inst.catalog.transaction() as session:
        pending = session.scalar(_free(session, document_id).with_for_update(skip_locked=True))
        if pending is not None:
            pending.lease_expires_at = lease_clock(session) + lease
        return pending


def _learn_from(inst: Installation, pending: PendingCorrection) -> None:
    with inst.catalog.read_session() as session:
        document = session.get(Document, pending.document_id)
        result = session.get(DocumentResult, pending.document_id)
        parser = session.get(Parser, pending.parser_id)
        if document is None or parser is None or parser.deleted_at is not None:
            return
        seen = view(parser)
        is_approved = document.status == Status.APPROVED
        if seen.problem is not None or result is None or not (result.edited or is_approved):
            # Processed again meanwhile: the corrections are gone.
            return
        if not result.edited and not has_room(session, seen.id):
            # Approved as read: it must not replace what was learned from a correction.
            return
        data = values.named(seen.fields, result.values)
        evidence = values.named_evidence(seen.fields, result.values, result.evidence)
        task = TeachTask(
            read_task(inst, seen, document),
            data,
            before=values.named(seen.fields, result.read_values or result.values),
            shown=shown_places(seen.fields, result.evidence),
            unplaced=unplaced_values(seen.fields, data, evidence),
            approved=is_approved,
        )
        edits = edits_of(seen.fields, result.evidence)
        sha256, version = document.sha256, result.updated_at
    places = learn(inst, seen, pending.document_id, sha256, task, edits)
    if places:
        _, changed = values.identified(seen.fields, {}, with_places(evidence, places))
        _show_places(inst, pending, version, changed)


def _show_places(
    inst: Installation, pending: PendingCorrection, version: dt.datetime, changed: Mapping[str, Any]
) -> None:
    """Write evidence by field id, unless the values have changed since ``version``."""
    with inst.catalog.transaction() as session:
        result = session.get(DocumentResult, pending.document_id, with_for_update=True)
        if result is None or result.updated_at != version:
            return
        result.evidence = {**result.evidence, **changed}
        result.updated_at = version
        flag_modified(result, "updated_at")
        warehouse_outbox.enqueue(session, [(pending.document_id, pending.team_id, pending.parser_id)])


def _complete(inst: Installation, pending: PendingCorrection) -> None:
    """Delete the entry, unless the document was enqueued again meanwhile."""
    mine = PendingCorrection.document_id == pending.document_id
    with inst.catalog.transaction() as session:
        session.execute(delete(PendingCorrection).where(mine, PendingCorrection.revision == pending.revision))
        session.execute(update(PendingCorrection).where(mine).values(lease_expires_at=None))
