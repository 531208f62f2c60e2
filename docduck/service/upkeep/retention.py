"""Retention: deletion of documents older than their parser's ``retentionDays``."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import BinnedDocument, Document, Parser
from docduck.service.core.installation import Installation
from docduck.service.documents.bin.contents import delete_binned
from docduck.service.documents.deletion import delete_selected
from docduck.statuses import Status

ENDED = (Status.PROCESSED, Status.FAILED)
"""The statuses that retention deletes; documents in progress or with a review are kept."""
_STEP = 500
_ACTOR = "retention"


def delete_expired(inst: Installation, *, parser_id: str | None = None) -> dict[str, int]:
    """Delete processed and failed documents created more than ``retentionDays`` ago, of one parser or all.

    Return the number of deleted documents by parser slug. Documents of deleted parsers expire, too, and
    so do those in the bin, which don't count.
    """
    statement = select(Parser.id, Parser.slug, Parser.settings).order_by(Parser.slug)
    if parser_id is not None:
        statement = statement.where(Parser.id == parser_id)
    with inst.catalog.read_session() as session:
        parsers = session.execute(statement).all()
    deleted: dict[str, int] = {}
    for expiring_id, slug, settings in parsers:
        days = _days(settings)
        if days is not None:
            before = clock.now() - dt.timedelta(days=days)
            mine = (BinnedDocument.parser_id == expiring_id, BinnedDocument.created_at < before)
            delete_binned(inst, _ACTOR, *mine)
            if count := _delete_before(inst, expiring_id, before):
                deleted[slug] = count
    return deleted


def _days(settings: Any) -> int | None:
    days = settings.get("retentionDays") if isinstance(settings, Mapping) else None
    return days if isinstance(days, int) else None


def _delete_before(inst: Installation, parser_id: str, before: dt.datetime) -> int:
    def find(session: Session, *, lock: bool) -> Sequence[Document]:
        old = (
            select(Document)
            .where(
                Document.parser_id == parser_id,
                Document.status.in_(ENDED),
                Document.created_at < before,
            )
            .order_by(Document.id)
            .limit(_STEP)
        )
        return session.scalars(old.with_for_update() if lock else old).all()

    done = 0
    while deleted := delete_selected(inst, find, _ACTOR):
        done += len(deleted)
    return done
