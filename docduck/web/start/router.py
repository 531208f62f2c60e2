"""The start page: what was read lately, what waits for the user, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from docduck.api.request.current_caller import Inst
from docduck.service.documents.queries.listing import list_documents
from docduck.service.documents.queries.outcomes import outcomes
from docduck.service.parsers.parser_listing import parser_names, team_counts
from docduck.service.reviews.waiting import assigned_documents
from docduck.web.page import page
from docduck.web.page_route import PageRouter
from docduck.web.start.next_steps import next_steps
from docduck.web.visit import CurrentUser

router = PageRouter()

_LATEST, _VALUES = 8, 3


@router.get("/")
def start(signed_in: CurrentUser, inst: Inst) -> Response:
    """Return the user's start page; it shows what they may read."""
    allow = inst.settings.allow_team_creation
    if signed_in.team is None:
        return page("start/no_team.html.j2", signed_in, may_create_team=allow)
    team_id, permissions = signed_in.team.id, signed_in.caller().permissions
    latest = list_documents(inst, team_id, limit=_LATEST).rows
    read = outcomes(inst, team_id, [row.id for row in latest])
    parsers, documents = team_counts(inst, team_id)
    return page(
        "start/start.html.j2",
        signed_in,
        parsers=parsers if "parsers:read" in permissions else None,
        documents=documents,
        waiting=assigned_documents(inst, team_id, signed_in.user_id, limit=1).total,
        latest=[(row, _some_values(read[row.id].data if row.id in read else {})) for row in latest],
        names=parser_names(inst, team_id),
        is_first_run="parsers:write" in permissions and all(row.source == "folder" for row in latest),
        steps=next_steps(inst, signed_in, parsers, {row.status for row in latest}),
        may_create_team=allow,
    )


def _some_values(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the first values of a document that are neither empty nor a table."""
    plain = [(name, value) for name, value in data.items() if isinstance(value, str | int | float) and value]
    return dict(plain[:_VALUES])
