"""Those who may read all published tables of their team."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from docduck.api.route import require
from docduck.errors import Forbidden
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.permissions import may_query
from docduck.web.visit import CurrentMember


def _analyst(member: CurrentMember) -> TeamUser:
    """Return the member; raise Forbidden for reviewers, who see the documents that they review."""
    require(member, "documents:read")
    if not may_query(member.role):
        raise Forbidden
    return member


Analyst = Annotated[TeamUser, Depends(_analyst)]
