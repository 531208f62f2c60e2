"""The team's audit log."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, cast

from fastapi import APIRouter, Query

from docduck.api.request.current_caller import CurrentCaller, Inst
from docduck.api.request.params import Limit, PageNumber
from docduck.api.route import GuardedRoute, needs
from docduck.api.schemas.audit_log import AuditEntryResponse
from docduck.api.schemas.base import PageResponse
from docduck.errors import Forbidden
from docduck.service.accounts.audit_log import find_audit_entries
from docduck.service.core.property_types import Moment, Uuid

router = APIRouter(tags=["Audit log"], route_class=GuardedRoute)

Word = Annotated[str | None, Query(max_length=64)]


@router.get("/audit-log", summary="List the audit log", openapi_extra=needs("audit:read"))
def list_(
    inst: Inst,
    caller: CurrentCaller,
    resource_type: Annotated[str | None, Query(alias="resourceType", max_length=64)] = None,
    resource_id: Annotated[Uuid | None, Query(alias="resourceId")] = None,
    actor: Annotated[
        str | None, Query(max_length=255, description="Id of a user or key, or name of a part of the system")
    ] = None,
    action: Word = None,
    since: Annotated[Moment | None, Query(alias="from", description="Inclusive")] = None,
    until: Annotated[Moment | None, Query(alias="to", description="Inclusive")] = None,
    page: PageNumber = 1,
    limit: Limit = 50,
) -> PageResponse[AuditEntryResponse]:
    """Return who changed what in the team, newest first; not for keys that are limited to parsers."""
    if caller.parser_ids is not None:
        raise Forbidden
    audit_page = find_audit_entries(
        inst,
        caller.team_id,
        resource_type=resource_type,
        resource_id=resource_id,
        actor=actor,
        action=action,
        since=cast(dt.datetime | None, since),
        until=cast(dt.datetime | None, until),
        page=page,
        limit=limit,
    )
    return PageResponse[AuditEntryResponse].of_page(audit_page)
