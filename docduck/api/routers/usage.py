"""What the team uses."""

from __future__ import annotations

from docduck.api.request.current_caller import CurrentCall
from docduck.api.route import ResourceRouter
from docduck.errors import Forbidden
from docduck.service.upkeep.usage import TeamUsageView, team_usage

router = ResourceRouter("", "Usage", read="parsers:read")


@router.get("/usage", summary="Get the team's usage")
def get(call: CurrentCall) -> TeamUsageView:
    """Return documents and pages by day and parser, and the use of language models by month.

    Documents that were deleted don't count. Not for keys that are limited to parsers.
    """
    if call.caller.parser_ids is not None:
        raise Forbidden
    return team_usage(*call.team)
