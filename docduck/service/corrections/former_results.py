"""The values that documents had before people changed them, the last ones first to come back."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import Uuid, delete, func, insert, literal, select, update
from sqlalchemy.orm import Session

from docduck.catalog.models import DocumentResult, FormerResult
from docduck.catalog.models.base import UtcDateTime
from docduck.ids import new_id
from docduck.service.core.installation import Installation

KEPT = dt.timedelta(days=7)
"""How long a change can be undone."""
MOST = 50
"""The most changes of a document that can be undone."""
_MOST_BYTES = 1024 * 1024
"""Longer results, compressed, are not kept."""

_COPIED = ("team_id", "document_id", "values", "read_values", "evidence", "edited")


def keep_former(session: Session, document_id: str, actor: str, replaced_at: dt.datetime) -> None:
    """Keep a document's result, which ``actor`` replaces by that of ``replaced_at``."""
    mine, size = FormerResult.document_id == document_id, func.length(DocumentResult.evidence)
    copied = select(
        literal(new_id(), Uuid(as_uuid=False)),
        *(getattr(DocumentResult, name) for name in _COPIED),
        literal(actor),
        DocumentResult.updated_at,
        literal(replaced_at, UtcDateTime),
    ).where(
        DocumentResult.document_id == document_id,
        size + func.length(DocumentResult.values) <= _MOST_BYTES,
    )
    columns = ["id", *_COPIED, "actor", "written_at", "replaced_at"]
    session.execute(insert(FormerResult).from_select(columns, copied, include_defaults=False))
    kept = select(FormerResult.id).where(mine).order_by(FormerResult.replaced_at.desc()).limit(MOST)
    session.execute(
        delete(FormerResult)
        .where(mine, FormerResult.id.not_in(kept))
        .execution_options(synchronize_session=False)
    )


def former_result(session: Session, document_id: str, actor: str) -> FormerResult | None:
    """Return what a document had before its last change; None unless ``actor`` made it and it was kept."""
    former_id = _last_of(session, document_id, actor)
    return None if former_id is None else session.get(FormerResult, former_id)


def may_undo(inst: Installation, document_id: str, actor: str) -> bool:
    """Return whether the last change of a document's values is one of ``actor`` that can be undone."""
    with inst.catalog.read_session() as session:
        return _last_of(session, document_id, actor) is not None


def _last_of(session: Session, document_id: str, actor: str) -> str | None:
    """Return the id alone of the result before a document's last change by ``actor``: results are large."""
    return session.scalar(
        select(FormerResult.id)
        .join(DocumentResult, DocumentResult.document_id == FormerResult.document_id)
        .where(
            FormerResult.document_id == document_id,
            FormerResult.replaced_at == DocumentResult.updated_at,
            FormerResult.actor == actor,
        )
    )


def drop_former(session: Session, former: FormerResult, restored_at: dt.datetime) -> None:
    """Forget what is restored as the result of ``restored_at``; the change before can be undone then."""
    session.execute(delete(FormerResult).where(FormerResult.id == former.id))
    session.execute(
        update(FormerResult)
        .where(FormerResult.document_id == former.document_id, FormerResult.replaced_at == former.written_at)
        .values(replaced_at=restored_at)
        .execution_options(synchronize_session=False)
    )
