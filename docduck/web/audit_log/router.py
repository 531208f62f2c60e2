"""The team's audit log, by actor, action, resource and day."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Query
from starlette.responses import Response

from docduck.service.accounts.audit_log import ActorView, find_audit_entries
from docduck.web.member import Visit, of_member
from docduck.web.page import PageNumber, day_of, page_link
from docduck.web.page_route import PageRouter

router = PageRouter()

_PATH = "/team/audit"
_LIMIT = 50


@router.get(_PATH)
def list_(
    at: Annotated[Visit, of_member("audit:read")],
    actor: Annotated[str, Query(max_length=255)] = "",
    action: Annotated[str, Query(max_length=64)] = "",
    resource_type: Annotated[str, Query(alias="type", max_length=64)] = "",
    resource_id: Annotated[str, Query(alias="resource", max_length=64)] = "",
    since: Annotated[str, Query(alias="from", max_length=64)] = "",
    until: Annotated[str, Query(alias="to", max_length=64)] = "",
    number: PageNumber = 1,
) -> Response:
    """Return who changed what in the team, newest first; both days are inclusive."""
    filters = {
        "actor": actor.strip(),
        "action": action.strip(),
        "type": resource_type.strip(),
        "resource": resource_id.strip(),
        "from": since,
        "to": until,
    }
    entries = find_audit_entries(
        *at.team,
        resource_type=filters["type"] or None,
        resource_id=filters["resource"] or None,
        actor=filters["actor"] or None,
        action=filters["action"] or None,
        since=day_of(since),
        until=day_of(until),
        page=number,
        limit=_LIMIT,
    )
    return at.page(
        "audit_log/list.html.j2",
        path=_PATH,
        entries=entries,
        filters=filters,
        is_filtered=any(filters.values()),
        link=lambda **changed: page_link(_PATH, **{**filters, **changed}),
        actor_filter=_actor_filter,
        as_text=_as_text,
    )


def _actor_filter(actor: ActorView) -> str:
    """Return the filter that finds an actor's entries; the log knows a deleted key by its prefix."""
    return actor.id or (f"key {actor.name}" if actor.type == "key" else actor.name)


def _as_text(details: Mapping[str, Any]) -> str:
    return json.dumps(dict(details), ensure_ascii=False, indent=2)
