"""The team's audit log."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import Field

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.params import Limit, PageNumber, QueryParameters
from docduck.api.route import ResourceRouter
from docduck.api.schemas.base import PageResponse
from docduck.errors import Forbidden
from docduck.service.accounts.audit_log import AuditEntryView, find_audit_entries
from docduck.service.core.property_types import INCLUSIVE_END, LowerBound, UpperBound, Uuid

router = ResourceRouter("", "Audit log", read="audit:read")


class AuditEntryList(QueryParameters):
    """The parameters of a list of the audit log."""

    resource_type: Annotated[str, Field(max_length=64)] | None = None
    resource_id: Uuid | None = None
    actor: Annotated[str, Field(max_length=255)] | None = Field(
        None, description="Id of a user or key, or name of a part of the system"
    )
    action: Annotated[str, Field(max_length=64)] | None = None
    since: LowerBound | None = Field(None, alias="from", description="Inclusive")
    until: UpperBound | None = Field(None, alias="to", description=INCLUSIVE_END)
    page: PageNumber = 1
    limit: Limit = 50


@router.get("/audit-log", summary="List the audit log")
def list_(call: CurrentCall, query: Annotated[AuditEntryList, Query()]) -> PageResponse[AuditEntryView]:
    """Return who changed what in the team, newest first; not for keys that are limited to parsers."""
    if call.caller.parser_ids is not None:
        raise Forbidden
    entries = find_audit_entries(*call.team, **query.sent_values())
    return PageResponse[AuditEntryView].of_page(entries)
