"""The sources of the team, the ledger of each, and another look at what was not taken in."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from docduck.errors import InputError
from docduck.service.sources.ledger import ItemOutcome
from docduck.service.sources.ledger_pages import ledger_page
from docduck.service.sources.remote_sources import ADDRESSES
from docduck.service.sources.source_log import REPLAYABLE, replay
from docduck.service.sources.sources import INBOX
from docduck.service.sources.team_sources import get_team_source, team_sources
from docduck.web.member import Visit, of_member
from docduck.web.page import PageNumber, page_link, see_other
from docduck.web.page_route import PageRouter
from docduck.web.visit import UserForm, form_value

router = PageRouter("/sources")

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
Reader = Annotated[Visit, of_member("parsers:read")]


@router.get("")
def list_(at: Reader) -> Response:
    """Return the team's sources with their states and counts."""
    listed = team_sources(*at.team)
    return at.page(
        "sources/list.html.j2",
        rows=listed.rows,
        pipeline_problem=listed.problem,
        outcomes=OUTCOMES,
        link=partial(page_link, _LEDGER),
    )


@router.get("/ledger")
def ledger(
    at: Reader,
    name: Name = INBOX,
    outcome: Annotated[str, Query(max_length=64)] = "",
    number: PageNumber = 1,
    looked: Annotated[int | None, Query(ge=0)] = None,
) -> Response:
    """Return a source and a page of its ledger; ``looked`` is how many items were forgotten just now."""
    source = get_team_source(*at.team, name)
    counted = [(value, f"{word} ({source.counts.get(value, 0):,})") for value, (word, _) in OUTCOMES.items()]
    replayable = REPLAYABLE & source.counts.keys()
    return at.page(
        "sources/ledger.html.j2",
        done="" if looked is None else f"Items that are looked at again: {looked:,}.",
        source=source,
        items=ledger_page(*at.team, name, outcome or None, number, _LIMIT),
        outcome=outcome,
        outcomes=OUTCOMES,
        link=partial(page_link, _LEDGER, source=name, outcome=outcome),
        counted=counted,
        replayable=sorted(pair for pair in counted if pair[0] in replayable),
        may_write=at.may("documents:write") and source.is_configured and name != ADDRESSES.name,
    )


@router.post("/replay")
def look_again(form: UserForm, at: Annotated[Visit, of_member("documents:write")]) -> Response:
    """Forget items that are no documents, so that they are looked at again."""
    name, outcome = form_value(form, "source"), form_value(form, "outcome")
    get_team_source(*at.team, name)
    if outcome and outcome not in set(ItemOutcome):
        raise InputError(f"Unknown outcome: {outcome}. Known: {', '.join(sorted(REPLAYABLE))}", "outcome")
    count = replay(*at.team, name, [ItemOutcome(outcome)] if outcome else REPLAYABLE)
    return see_other(_LEDGER, source=name, looked=str(count))
