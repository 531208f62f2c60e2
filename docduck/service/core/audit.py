"""The audit log, written in the transaction of each change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import insert
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import AuditEntry
from docduck.ids import new_id


def record(
    session: Session,
    team_id: str,
    actor: str,
    action: str,
    resource_type: str,
    resources: Iterable[tuple[str, Mapping[str, Any] | None]],
) -> None:
    """Record that ``actor`` did ``action`` (such as ``document.deleted``) to resources, given as (id,
    details). Details hold no secrets.
    """
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
