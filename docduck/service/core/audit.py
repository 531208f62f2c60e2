"""The audit log, written in the transaction of each change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import AuditEntry, Membership
from docduck.ids import new_id

LONGEST_VALUE = 1000
"""Most characters of a value in an entry; longer ones are cut off as text."""


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


def record_for_user(session: Session, user_id: str, actor: str, action: str, **details: Any) -> None:
    """Record in all teams of a user that ``actor`` did ``action``, such as ``user.signed_in``."""
    for team_id in session.scalars(select(Membership.team_id).where(Membership.user_id == user_id)).all():
        record(session, team_id, actor, action, "user", [(user_id, details or None)])


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details of a change: the names of what differs, with the values before and after.

    Names are those of the API. A name that is missing on one side was added or removed.
    """
    names = sorted(name for name in before.keys() | after.keys() if _differs(before, after, name))
    return {
        "changed": names,
        "before": {name: _bounded(before[name]) for name in names if name in before},
        "after": {name: _bounded(after[name]) for name in names if name in after},
    }


def _differs(before: Mapping[str, Any], after: Mapping[str, Any], name: str) -> bool:
    return (name in before) != (name in after) or before[name] != after[name]


def _bounded(value: Any) -> Any:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return value if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
