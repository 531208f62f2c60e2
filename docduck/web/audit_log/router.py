"""The team's audit log, by actor, action, resource and day."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.errors import InputError
from docduck.service.accounts.audit_log import Actor, find_audit_entries
from docduck.web.page import last_page, page, page_link
from docduck.web.page_route import PageRoute
from docduck.web.visit import CurrentMember, CurrentUser

router = APIRouter(include_in_schema=False, route_class=PageRoute)

_PATH = "/team/audit"
_LIMIT = 50

Word = Annotated[str, Query(max_length=64)]


@router.get(_PATH)
def list_(
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    actor: Annotated[str, Query(max_length=255)] = "",
    action: Word = "",
    resource_type: Annotated[str, Query(alias="type", max_length=64)] = "",
    resource_id: Annotated[str, Query(alias="resource", max_length=64)] = "",
    since: Annotated[str, Query(alias="from", max_length=64)] = "",
    until: Annotated[str, Query(alias="to", max_length=64)] = "",
    number: Annotated[int, Query(alias="page", ge=1, le=1_000_000)] = 1,
) -> Response:
    """Return who changed what in the team, newest first; both days are inclusive."""
    require(user, "audit:read")
    filters = {
        "actor": actor.strip(),
        "action": action.strip(),
        "type": resource_type.strip(),
        "resource": resource_id.strip(),
        "from": since,
        "to": until,
    }
    entries = find_audit_entries(
        inst,
        user.team_id,
        resource_type=filters["type"] or None,
        resource_id=filters["resource"] or None,
        actor=filters["actor"] or None,
        action=filters["action"] or None,
        since=_moment(since, dt.time.min),
        until=_moment(until, dt.time.max),
        page=number,
        limit=_LIMIT,
    )
    return page(
        "audit_log/list.html.j2",
        signed_in,
        path=_PATH,
        rows=entries.rows,
        total=entries.total,
        number=number,
        last=last_page(entries),
        filters=filters,
        is_filtered=any(filters.values()),
        link=lambda **changed: page_link(_PATH, **{**filters, **changed}),
        actor_filter=_actor_filter,
        as_text=_as_text,
    )


def _moment(day: str, time: dt.time) -> dt.datetime | None:
    if not day:
        return None
    try:
        return dt.datetime.combine(dt.date.fromisoformat(day), time, dt.UTC)
    except ValueError as error:
        raise InputError("A day is written as in 2026-01-31") from error


def _actor_filter(actor: Actor) -> str:
    """Return the filter that finds an actor's entries; the log knows a deleted key by its prefix."""
    return actor.id or (f"key {actor.name}" if actor.type == "key" else actor.name)


def _as_text(details: Mapping[str, Any]) -> str:
    return json.dumps(dict(details), ensure_ascii=False, indent=2)
