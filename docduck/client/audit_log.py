"""``client.audit_log``: who changed what in the team."""

from __future__ import annotations

import datetime as dt

from docduck.client.transport.encoding import present, timestamp
from docduck.client.transport.endpoint import M, Resource, endpoint, listing
from docduck.client.transport.steps import Steps
from docduck.client.types import AuditEntry, Page


class AuditLog(Resource[M]):
    """The team's audit log; the key needs the permission ``audit:read``."""

    @endpoint
    def page(
        self,
        *,
        resource_type: str | None = None,
        resource_id: str | None = None,
        actor: str | None = None,
        action: str | None = None,
        since: str | dt.datetime | None = None,
        until: str | dt.datetime | None = None,
        page: int = 1,
        limit: int = 50,
    ) -> Steps[Page[AuditEntry]]:
        """Return a page of the entries, newest first; ``actor`` is the id of a user or key, or a name."""
        params = present(
            resource_type=resource_type,
            resource_id=resource_id,
            actor=actor,
            action=action,
            to=timestamp(until),
            page=page,
            limit=limit,
        )
        return self.call("GET", "/audit-log", params={**params, "from": timestamp(since)})

    list = listing(page)
