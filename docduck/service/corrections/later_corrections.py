"""What was corrected since a person looked at a document."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from docduck.catalog.models import AuditEntry, User
from docduck.ids import is_uuid
from docduck.service.core.installation import Installation
from docduck.service.documents.status_transitions import Remark

_MOST = 50
"""Corrections that are read, the latest ones."""


@dataclass(frozen=True, slots=True)
class LaterCorrection:
    """A field's value before and after, cut off as text if it is long; ``by`` is the name of ``actor``."""

    field: str
    before: Any
    after: Any
    actor: str
    by: str
    at: dt.datetime


def later_corrections(
    inst: Installation, team_id: str, document_id: str, since: dt.datetime
) -> Sequence[LaterCorrection]:
    """Return the latest correction of each field after ``since``, with its value before all of them."""
    latest = (
        select(AuditEntry)
        .where(
            AuditEntry.team_id == team_id,
            AuditEntry.resource_id == document_id,
            AuditEntry.action == f"document.{Remark.CORRECTED}",
            AuditEntry.at > since,
        )
        .order_by(AuditEntry.at.desc(), AuditEntry.id.desc())
        .limit(_MOST)
    )
    by_field: dict[str, LaterCorrection] = {}
    with inst.catalog.read_session() as session:
        entries = session.scalars(latest).all()[::-1]
        actors = {entry.actor for entry in entries if is_uuid(entry.actor)}
        users = session.execute(select(User.id, User.name).where(User.id.in_(actors)))
        names = {user_id: name for user_id, name in users}
        for entry in entries:
            details = entry.details or {}
            for field in details.get("changed", ()):
                before = by_field[field].before if field in by_field else details["before"].get(field)
                after = details["after"].get(field)
                by = names.get(entry.actor, entry.actor)
                by_field[field] = LaterCorrection(field, before, after, entry.actor, by, entry.at)
    return list(by_field.values())
