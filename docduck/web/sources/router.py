"""The sources of the team, the ledger of each, and another look at what was not taken in."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.errors import InputError
from docduck.service.sources.ledger import ItemOutcome
from docduck.service.sources.ledger_pages import ledger_page
from docduck.service.sources.remote_sources import ADDRESSES
from docduck.service.sources.source_log import REPLAYABLE, replay
from docduck.service.sources.sources import INBOX
from docduck.service.sources.team_sources import get_team_source, team_sources
from docduck.web.page import last_page, page, page_link
from docduck.web.page_route import PageRoute
from docduck.web.visit import CurrentMember, CurrentUser, UserForm, form_value

router = APIRouter(prefix="/sources", include_in_schema=False, route_class=PageRoute)

_LIMIT = 50
_LEDGER = "/sources/ledger"
OUTCOMES = {
    ItemOutcome.REGISTERED: ("taken", "It became a document."),
    ItemOutcome.DUPLICATE: ("duplicate", "Its target has a document with the same content already."),
    ItemOutcome.WAITING: ("waiting", "It is still being written, or its target takes nothing now."),
    ItemOutcome.REFUSED: ("refused", "It can't become a document: see the reason."),
    ItemOutcome.UNREADABLE: ("unreadable", "It could not be read; this is tried again."),
    ItemOutcome.VANISHED: ("vanished", "It went away before it was taken."),
}
"""The outcomes in the words of the pages, with explanations."""

Name = Annotated[str, Query(alias="source", max_length=1000)]


@router.get("")
def list_(inst: Inst, signed_in: CurrentUser, user: CurrentMember) -> Response:
    """Return the team's sources with their states and counts."""
    require(user, "parsers:read")
    listed = team_sources(inst, user.team_id)
    return page(
        "sources/list.html.j2",
        signed_in,
        rows=listed.rows,
        pipeline_problem=listed.problem,
        outcomes=OUTCOMES,
        link=partial(page_link, _LEDGER),
    )


@router.get("/ledger")
def ledger(
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    name: Name = INBOX,
    outcome: Annotated[str, Query(max_length=64)] = "",
    number: Annotated[int, Query(alias="page", ge=1, le=1_000_000)] = 1,
    looked: Annotated[int | None, Query(ge=0)] = None,
) -> Response:
    """Return a source and a page of its ledger; ``looked`` is how many items were forgotten just now."""
    require(user, "parsers:read")
    source = get_team_source(inst, user.team_id, name)
    items = ledger_page(inst, user.team_id, name, outcome or None, number, _LIMIT)
    return page(
        "sources/ledger.html.j2",
        signed_in,
        done="" if looked is None else f"Items that are looked at again: {looked:,}.",
        source=source,
        rows=items.rows,
        total=items.total,
        number=number,
        last=last_page(items),
        outcome=outcome,
        outcomes=OUTCOMES,
        link=partial(page_link, _LEDGER, source=name, outcome=outcome),
        replayable=sorted(REPLAYABLE & source.counts.keys()),
        may_write="documents:write" in user.permissions and source.is_configured and name != ADDRESSES.name,
    )


@router.post("/replay")
def look_again(form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Forget items that are no documents, so that they are looked at again."""
    require(user, "documents:write")
    name, outcome = form_value(form, "source"), form_value(form, "outcome")
    get_team_source(inst, user.team_id, name)
    if outcome and outcome not in set(ItemOutcome):
        raise InputError(f"Unknown outcome: {outcome}. Known: {', '.join(sorted(REPLAYABLE))}", "outcome")
    count = replay(inst, user.team_id, name, [ItemOutcome(outcome)] if outcome else REPLAYABLE)
    return RedirectResponse(page_link(_LEDGER, source=name, looked=str(count)), 303)
