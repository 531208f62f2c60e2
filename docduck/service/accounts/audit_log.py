"""Reading the audit log."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from pydantic import Field
from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import ApiKey, AuditEntry, User
from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page, read_page
from docduck.service.core.schema import UtcTime, ViewPart

_KEY = "key "


class ActorView(ViewPart):
    """Who did it."""

    type: Literal["user", "key", "system"]
    id: str | None = Field(description="null for a part of the system, and for a deleted key")
    name: str = Field(examples=["CI"])


class AuditEntryView(ViewPart):
    """An entry of the audit log."""

    id: str
    at: UtcTime
    actor: ActorView
    action: str = Field(examples=["parser.updated"])
    resource_type: str = Field(examples=["parser"])
    resource_id: str
    details: dict[str, Any] | None = Field(
        description="For a change: `changed`, names, and their values `before` and `after`, of at most 1,000 "
        "characters each",
        examples=[{"changed": ["name"], "before": {"name": "Bills"}, "after": {"name": "Invoices"}}],
    )


def find_audit_entries(
    inst: Installation,
    team_id: str,
    *,
    resource_type: str | None = None,
    resource_id: str | None = None,
    actor: str | None = None,
    action: str | None = None,
    since: dt.date | None = None,
    until: dt.date | None = None,
    page: int = 1,
    limit: int = 50,
) -> Page[AuditEntryView]:
    """Return a page of the team's audit log, newest first; both bounds are inclusive (``clock.span``).

    ``actor`` is the id of a user or key, or the name of a part of the system. Raise InputError for an invalid
    ``resource_id``.
    """
    if resource_id is not None and not is_uuid(resource_id):
        raise InputError("Invalid resourceId", "resourceId", code="invalid_id")
    conditions: list[ColumnElement[bool]] = [AuditEntry.team_id == team_id]
    if resource_type is not None:
        conditions.append(AuditEntry.resource_type == resource_type)
    if resource_id is not None:
        conditions.append(AuditEntry.resource_id == resource_id.lower())
    if action is not None:
        conditions.append(AuditEntry.action == action)
    if since is not None:
        conditions.append(AuditEntry.at >= clock.span(since)[0])
    if until is not None:
        conditions.append(AuditEntry.at <= clock.span(until)[1])
    with inst.catalog.read_session() as session:
        if actor is not None:
            conditions.append(AuditEntry.actor.in_(_names_of(session, team_id, actor)))
        newest_first = (AuditEntry.at.desc(), AuditEntry.id.desc())
        entries = read_page(session, AuditEntry, conditions, newest_first, page, limit)
        actors = actors_named(session, team_id, {entry.actor for entry in entries.rows})
        return entries.map(lambda entry: AuditEntryView.of(entry, actor=actors[entry.actor]))


def _names_of(session: Session, team_id: str, actor: str) -> list[str]:
    """Return the names under which the log knows an actor."""
    if not is_uuid(actor):
        return [actor]
    prefix = session.scalar(
        select(ApiKey.prefix).where(ApiKey.team_id == team_id, ApiKey.id == actor.lower())
    )
    return [actor.lower(), *([f"{_KEY}{prefix}"] if prefix else [])]


def actors_named(session: Session, team_id: str, names: set[str]) -> dict[str, ActorView]:
    """Return the actors by their names in the log; those of deleted users and keys keep that name."""
    prefixes = [name.removeprefix(_KEY) for name in names if name.startswith(_KEY)]
    keys = session.execute(
        select(ApiKey.prefix, ApiKey.id, ApiKey.name).where(
            ApiKey.team_id == team_id, ApiKey.prefix.in_(prefixes)
        )
    )
    users = session.execute(select(User.id, User.name).where(User.id.in_([*filter(is_uuid, names)])))
    actors = {f"{_KEY}{prefix}": _actor("key", key_id, name) for prefix, key_id, name in keys}
    actors |= {user_id: _actor("user", user_id, name) for user_id, name in users}
    return {name: actors.get(name) or _unknown(name) for name in names}


def _unknown(name: str) -> ActorView:
    if name.startswith(_KEY):
        return _actor("key", None, name.removeprefix(_KEY))
    return _actor("user", name, name) if is_uuid(name) else _actor("system", None, name)


def _actor(kind: Literal["user", "key", "system"], actor_id: str | None, name: str) -> ActorView:
    return ActorView(type=kind, id=actor_id, name=name)
