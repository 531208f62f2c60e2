"""The audit log: who changed what, written in the transaction of the change itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import insert
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import AuditEntry
from docduck.ids import new_id


def note(
    session: Session,
    team_id: str,
    actor: str,
    action: str,
    resource_type: str,
    resources: Iterable[tuple[str, Mapping[str, Any] | None]],
) -> None:
    """Write that ``actor`` did ``action`` (``document.deleted``) to each (id, details); never secrets."""
    moment = clock.now()
    rows = [
        {
            "id": new_id(),
            "team_id": team_id,
            "at": moment,
            "actor": actor,
            "action": action,
            "resource_type": resource_type,
            "resource_id": resource_id,
            "details": details,
        }
        for resource_id, details in resources
    ]
    if rows:
        session.connection().execute(insert(AuditEntry), rows)
